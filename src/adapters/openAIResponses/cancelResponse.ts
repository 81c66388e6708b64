import { parseJson } from '../../parseJson.ts'
import { isRecord } from '../../protocol/predicates.ts'
import { AgentTransportError } from '../../transport/agentTransportError.ts'
import { getRetryAfter } from '../../transport/getRetryAfter.ts'
import { isRetryableStatus } from '../../transport/isRetryableStatus.ts'
import type { HttpStreamRequest } from '../../transport/openHttpStream.ts'
import { OpenAIResponsesCommandError } from './openAIResponsesCommandError.ts'

/**
 * Cancels a response in the background.
 *
 * @throws OpenAIResponsesCommandError `refused` where it is not cancelled; AgentTransportError where that is not known.
 */
export async function cancelResponse(
  request: HttpStreamRequest,
  options: {
    fetch: typeof fetch
    signal: AbortSignal
    now: () => number
  },
): Promise<void> {
  const { fetch, signal, now } = options
  let response: Response
  let text: string | undefined
  try {
    const { url, ...init } = request
    response = await fetch(url, { ...init, signal })
    if (response.ok) text = await response.text()
    else response.body?.cancel().catch(() => undefined)
  } catch (cause) {
    if (signal.aborted) throw cause
    const message = 'The service could not be reached; whether the response is cancelled is not known. Try again.'
    throw new AgentTransportError('network', message, { retryable: true, cause })
  }
  const { status, headers } = response
  if (isRetryableStatus(status)) {
    const message = `The service answered the cancellation with status ${status}.`
    throw new AgentTransportError('http_status', message, {
      ...{ status, retryable: true, retryAfter: getRetryAfter(headers, now) },
    })
  }
  if (response.ok && readStatus(text) === 'cancelled') return
  const reason = response.ok ? 'it has come to its own end' : `status ${status}`
  throw new OpenAIResponsesCommandError('refused', `The response was not cancelled: ${reason}.`)
}

function readStatus(text: string | undefined): unknown {
  // It may be some proxy's page.
  const body = parseJson(text ?? '')
  return isRecord(body) ? body.status : undefined
}
