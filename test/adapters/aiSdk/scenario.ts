import type { AiServerOptions, Version } from './createAiServer.ts'

/** A conversation with a server on the real package. */
export interface Scenario {
  readonly name: string
  readonly versions?: readonly Version[]
  readonly server: (version: Version) => Omit<AiServerOptions, 'version'>
  /** What a person answers, step by step; each list is one parked stream's. */
  readonly answers?: readonly (readonly Answer[])[]
  /** How the run ends. */
  readonly status: 'completed' | 'failed' | 'cancelled' | 'running'
}

export interface Answer {
  readonly tool: string
  readonly decision: 'approved' | 'rejected' | 'modified'
  readonly data?: unknown
}
