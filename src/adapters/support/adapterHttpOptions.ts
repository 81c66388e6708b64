import type { AgentTransportTimers } from '../../transport/agentTransportTimers.ts'

/** Headers of a request; a function is asked before each one, so that a token can be refreshed. */
export type AdapterHeaders =
  | Readonly<Record<string, string>>
  | (() => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>)

/** How an adapter reaches its runtime. */
export interface AdapterHttpOptions {
  /** Headers of every request; a function is asked before each one, so that a token can be refreshed. */
  headers?: AdapterHeaders | undefined
  credentials?: RequestCredentials | undefined
  fetch?: typeof fetch | undefined
  /**
   * How long the server may be silent, in milliseconds; ten minutes by default, 0 is for ever. Then its stream counts as
   * lost. Comments count as words: a server that keeps its lines alive by them allows for less.
   */
  idleTimeout?: number | undefined
  timers?: AgentTransportTimers | undefined
  /** The clock, in milliseconds. */
  now?: (() => number) | undefined
}
