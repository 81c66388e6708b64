import { isRecord } from '../../protocol/predicates.ts'
import { AgentTransportError } from '../../transport/agentTransportError.ts'
import type { HttpStreamRequest } from '../../transport/openHttpStream.ts'
import { sendAdapterRequest } from '../support/sendAdapterRequest.ts'
import { openAIResponsesAdapter as adapter } from './openAIResponsesAdapter.ts'
import { OpenAIResponsesCommandError } from './openAIResponsesCommandError.ts'
import type { OpenAIResponsesProviderOptions } from './openAIResponsesInput.ts'

/** How much of an answer is read, in bytes: it holds the response, as far as that came. */
const maxSize = 16 * 1024 * 1024

/** What a response is that cannot be cancelled any more. */
const ownEnds: ReadonlySet<string> = new Set(['completed', 'incomplete', 'failed'])

/**
 * Cancels a response in the background.
 *
 * @throws OpenAIResponsesCommandError `refused` where it is not cancelled; AgentTransportError where that is not known.
 */
export async function cancelResponse(
  request: () => Promise<HttpStreamRequest>,
  options: Pick<OpenAIResponsesProviderOptions, 'fetch' | 'timers' | 'now'> & { signal: AbortSignal },
): Promise<void> {
  const { fetch, timers, now, signal } = options
  const what = 'the cancellation'
  const answer = await sendAdapterRequest({ adapter, what, request, fetch, timers, now, signal, mayRefuse: true, maxSize })
  const { ok, status, body } = answer
  if (!ok) throw new OpenAIResponsesCommandError('refused', `The response was not cancelled: status ${status}.`)
  if (!isRecord(body) || typeof body.status !== 'string') {
    const message = `${adapter}: The service answered ${what} with no response; what became of it is not known. Send it again.`
    throw new AgentTransportError('invalid_frame', message, { adapter, status, retryable: true })
  }
  if (body.status === 'cancelled') return
  if (ownEnds.has(body.status)) {
    throw new OpenAIResponsesCommandError('refused', 'The response was not cancelled: it has come to its own end.')
  }
  const message = 'The service took the cancellation, and says that the response is not over. Send it again in a moment.'
  throw new OpenAIResponsesCommandError('refused', message, { retryable: true })
}
