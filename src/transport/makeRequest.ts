import { AgentTransportError } from './agentTransportError.ts'

/** Asks the app for a stream's request; what it throws, such as that a token could not be refreshed, may pass. */
export async function makeRequest<Request>(request: () => Request | Promise<Request>): Promise<Request> {
  try {
    return await request()
  } catch (cause) {
    if (cause instanceof AgentTransportError) throw cause
    const message = 'The request of the stream could not be made; see the cause, such as a token that was refused.'
    throw new AgentTransportError('request_failed', message, { retryable: true, cause })
  }
}
