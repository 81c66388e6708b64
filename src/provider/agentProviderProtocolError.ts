import { AgentModuleError } from '../agentModuleError.ts'

/** Why a provider broke the protocol. */
export type AgentProviderProtocolErrorCode =
  | 'unsupported_protocol'
  | 'undeclared_transport'
  | 'unsupported_resume'
  | 'asynchronous_function'
  | 'invalid_event'
  | 'foreign_event'
  | 'undeclared_event_type'
  | 'invalid_sequence'
  | 'invalid_cursor'
  | 'dense_violation'

/** What `runAgentProvider` rejects with where a provider breaks the protocol; it is never given to `transformError`. */
export class AgentProviderProtocolError extends AgentModuleError<AgentProviderProtocolErrorCode> {
  constructor(code: AgentProviderProtocolErrorCode, message: string) {
    super({ name: 'AgentProviderProtocolError', code, message })
  }
}
