import { AgentModuleError } from '../agentModuleError.ts'
import { AgentTransportError } from './agentTransportError.ts'

/**
 * Asks for a request: what the app's part of it throws, such as that a token could not be refreshed, may pass; an error
 * of this package's own says more than that, and stays what it is.
 */
export async function makeRequest<Request>(request: () => Request | Promise<Request>): Promise<Request> {
  try {
    return await request()
  } catch (cause) {
    if (AgentModuleError.isInstance(cause)) throw cause
    const message = 'The request could not be made; see the cause, such as a token that was refused.'
    throw new AgentTransportError('request_failed', message, { retryable: true, cause })
  }
}
