import { parseJson } from '../../parseJson.ts'
import { AgentTransportError } from '../../transport/agentTransportError.ts'
import { createPatience } from '../../transport/createPatience.ts'
import type { AgentTransportTimers } from '../../transport/agentTransportTimers.ts'
import { getFetch } from '../../transport/getFetch.ts'
import { getRetryAfter } from '../../transport/getRetryAfter.ts'
import { isRetryableStatus } from '../../transport/isRetryableStatus.ts'
import { makeRequest } from '../../transport/makeRequest.ts'
import { nameWireError } from '../../transport/nameWireError.ts'
import type { HttpStreamRequest } from '../../transport/openHttpStream.ts'
import { readBody } from '../../transport/readBody.ts'
import { readStatedCode } from '../../transport/readStatedCode.ts'

/** How much of a refusal is read where nothing else is said, in bytes: a code is short. */
const defaultMaxSize = 65_536
/** How long a good answer's body is waited for, in milliseconds; a refusal's says less than its status. */
const maxAnswerTime = 30_000

/** What came of a request that a command makes. */
export interface AdapterAnswer {
  readonly ok: boolean
  readonly status: number
  /** The answer's JSON; `undefined` where it is none, too long, or does not end. */
  readonly body: unknown
}

/**
 * Sends the one request of a command, its headers made anew, and reads what is said to it, as far as that is bounded.
 *
 * @throws AgentTransportError, which names the adapter: `request_failed` where the request could not be made, `network`
 * where it is not known what became of it, `http_status` for a refusal, which is `retryable` where its status says so,
 * `content_type` for a page that says 200 (a login, or a proxy's); the signal's reason after an abort.
 */
export async function sendAdapterRequest(options: {
  adapter: string
  /** What is sent, in words, as the subject of a sentence: `the cancellation`. */
  what: string
  request: () => HttpStreamRequest | Promise<HttpStreamRequest>
  fetch: typeof fetch | undefined
  signal: AbortSignal
  timers: AgentTransportTimers | undefined
  now: (() => number) | undefined
  /** Whether a refusal for good is given back, for its words to be read, instead of thrown. */
  mayRefuse?: boolean | undefined
  /** How much of the answer is read, in bytes; without it nothing of a good one is, whose status says it all. */
  maxSize?: number | undefined
}): Promise<AdapterAnswer> {
  const { adapter, signal } = options
  try {
    return await send(options)
  } catch (error) {
    throw signal.aborted ? signal.reason : nameWireError(error, { adapter, after: 0 })
  }
}

async function send(options: Parameters<typeof sendAdapterRequest>[0]): Promise<AdapterAnswer> {
  const { what, signal, timers, now = Date.now } = options
  const fetch = getFetch(options.fetch)
  // Neither the app's headers nor a fetch need heed the signal.
  const wait = createPatience({ signal, idleTimeout: 0, timers })
  signal.throwIfAborted()
  const { url, credentials, ...init } = await wait(makeRequest(options.request))
  let response: Response
  try {
    const pending = Promise.resolve(fetch(url, { method: 'POST', ...init, signal, ...(credentials && { credentials }) }))
    // A fetch that heeds no signal may still answer: then nobody reads it.
    pending.then((late) => (signal.aborted ? late.body?.cancel() : undefined)).catch(() => undefined)
    response = await wait(pending)
  } catch (cause) {
    const message = `The server could not be reached; what became of ${what} is not known. Send it again.`
    throw new AgentTransportError('network', message, { retryable: true, cause })
  }
  const { ok, status, headers } = response
  if (ok && isPage(headers)) {
    response.body?.cancel().catch(() => undefined)
    const message = `A page answered ${what}, not the server: something else answers at this URL.`
    throw new AgentTransportError('content_type', message, { status })
  }
  const body = await read(response, options)
  const retryable = isRetryableStatus(status)
  if (retryable || (!ok && !options.mayRefuse)) {
    const serverCode = readStatedCode(body)
    const named = serverCode === undefined ? '' : ` (${serverCode})`
    throw new AgentTransportError('http_status', `The server answered ${what} with status ${status}${named}.`, {
      ...{ status, retryable, serverCode, retryAfter: getRetryAfter(headers, now) },
    })
  }
  return { ok, status, body }
}

const isPage = (headers: Headers) => /^\s*(text\/html|application\/xhtml)/i.test(headers.get('content-type') ?? '')

async function read(
  response: Response,
  options: Pick<Parameters<typeof sendAdapterRequest>[0], 'maxSize' | 'signal' | 'timers' | 'what'>,
): Promise<unknown> {
  const { ok } = response
  const { maxSize, signal, timers } = options
  if (ok && maxSize === undefined) {
    response.body?.cancel().catch(() => undefined)
    return undefined
  }
  const limits = { maxSize: maxSize ?? defaultMaxSize, maxTime: ok ? maxAnswerTime : undefined }
  try {
    return parseJson((await readBody(response, { ...limits, signal, timers })) ?? '')
  } catch (cause) {
    // A refusal stands by its status; a good answer whose words are lost may have said anything.
    if (!ok && !signal.aborted) return undefined
    const message = `The answer to ${options.what} broke off; what became of it is not known. Send it again.`
    throw new AgentTransportError('network', message, { retryable: true, cause })
  }
}
