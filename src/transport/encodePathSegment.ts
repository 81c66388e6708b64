import { AgentTransportError } from './agentTransportError.ts'

/**
 * Writes an id as one segment of a URL's path. What every parser of URLs takes for a step instead, also where it is
 * escaped (`.`, `..`), or for nothing, would ask for something else under the app's credentials: it is refused.
 *
 * @throws AgentTransportError (`request_failed`)
 * @example
 * const url = `/api/agent/runs/${encodePathSegment(runId)}/events`
 */
export function encodePathSegment(id: string): string {
  // A lone surrogate has no bytes to be escaped as.
  if (id === '' || id === '.' || id === '..' || !isWellFormed(id)) {
    const message = `The id ${JSON.stringify(id).slice(0, 40)} cannot stand in the path of a URL: nothing was sent. Use another id.`
    throw new AgentTransportError('request_failed', message)
  }
  return encodeURIComponent(id)
}

function isWellFormed(id: string): boolean {
  try {
    encodeURIComponent(id)
    return true
  } catch {
    return false
  }
}
