import { AgentTransportError } from '../../transport/agentTransportError.ts'

/** Says whether a lost wire is worth another try: where the transport's own error says so. */
export function classifyTransportError(error: unknown): { retryable: boolean } {
  return { retryable: error instanceof AgentTransportError && error.retryable }
}
