import type { AgentEndpointError } from './agentEndpointError.ts'
import type { AgentEndpointsOptions } from './agentEndpointsOptions.ts'
import type { PlainBaseQuery } from './plainBaseQuery.ts'

/** Gives the library's error as the app's; that of `fetchBaseQuery` has the same shape. */
export function failWith(
  { toError }: Pick<AgentEndpointsOptions<PlainBaseQuery, string>, 'toError'>,
  error: AgentEndpointError,
): unknown {
  return toError ? toError(error) : error
}
