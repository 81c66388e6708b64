import type { AgentEndpointError } from './agentEndpointError.ts'

/** Makes an endpoint's error in the shape of `fetchBaseQuery`'s own; not retryable unless it says so. */
export function createEndpointError(error: { code: string; message: string; retryable?: boolean }): AgentEndpointError {
  const { code, message, retryable = false } = error
  return { status: 'CUSTOM_ERROR', error: message, data: { code, retryable } }
}
