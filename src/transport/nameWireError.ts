import { AgentTransportError } from './agentTransportError.ts'

/**
 * Says in a wire's error whose wire it is and which chunk it is about, or after how many it broke; what names itself
 * already stays, and so does what is no transport's error.
 */
export function nameWireError(
  error: unknown,
  place: { adapter: string; about: number } | { adapter: string; after: number },
): unknown {
  if (!(error instanceof AgentTransportError) || error.adapter !== undefined) return error
  const { adapter } = place
  const chunk = 'about' in place ? place.about : place.after > 0 ? place.after - 1 : undefined
  const where = chunk === undefined ? adapter : 'about' in place ? `${adapter}: chunk ${chunk}` : `${adapter}, after chunk ${chunk}`
  const { code, message, retryable, status, retryAfter, serverCode, cause } = error
  const options = { retryable, status, retryAfter, serverCode, adapter, chunk, cause }
  return new AgentTransportError(code, `${where}: ${message}`, options)
}
