import { describeError } from '../../src/provider/describeError.ts'
import type { AgentEndpointError } from './agentEndpointError.ts'
import { createEndpointError } from './createEndpointError.ts'

/** Says of what was thrown what may stand in the cache: no cause and no content. */
export function toEndpointError(thrown: unknown): AgentEndpointError {
  const { code, message, retryable } = describeError(thrown)
  return createEndpointError({ code, message, retryable })
}
