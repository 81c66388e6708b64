import { AgentModuleError } from '../agentModuleError.ts'

/** Why something is no trace that can be shown. */
export type AgentTraceErrorCode =
  | 'unreadable'
  | 'too_large'
  | 'too_many_events'
  | 'not_json'
  | 'not_a_trace'
  | 'unsupported_format'
  | 'invalid_trace'
  | 'no_events'
  | 'invalid_event'
  | 'foreign_event'
  | 'invalid_order'

/** Thrown for what is no trace; the message names places and never what they hold. */
export class AgentTraceError extends AgentModuleError<AgentTraceErrorCode> {
  constructor(code: AgentTraceErrorCode, message: string, cause?: unknown) {
    super({ name: 'AgentTraceError', code, message, cause })
  }
}
