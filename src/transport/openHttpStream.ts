import { AgentTransportError } from './agentTransportError.ts'
import type { AgentTransportTimers } from './agentTransportTimers.ts'
import { getRetryAfter } from './getRetryAfter.ts'
import { isRetryableStatus } from './isRetryableStatus.ts'
import { mergeHeaders } from './mergeHeaders.ts'
import { readServerCode } from './readServerCode.ts'

/** The request of a stream; `GET` where it has no body. */
export interface HttpStreamRequest {
  url: string
  method?: string | undefined
  headers?: Readonly<Record<string, string>> | undefined
  body?: BodyInit | undefined
  credentials?: RequestCredentials | undefined
}

/**
 * Fetches a stream and gives its bytes, once status and content type say that it is one.
 *
 * @throws AgentTransportError `network`, `http_status`, `content_type`.
 */
export async function openHttpStream(
  request: HttpStreamRequest,
  options: {
    mediaTypes: readonly [string, ...string[]]
    fetch: typeof fetch
    signal: AbortSignal
    wait: <Result>(work: Promise<Result>) => Promise<Result>
    timers: AgentTransportTimers | undefined
    now: () => number
    /** Gets the headers of an answer that is a stream of the kind, before its bytes are read. */
    onHeaders?: ((headers: Headers) => void) | undefined
  },
): Promise<ReadableStream<Uint8Array>> {
  const { signal, wait } = options
  const pending = startFetch(request, options)
  let response: Response
  try {
    response = await wait(pending)
  } catch (error) {
    // A fetch that heeds no signal may still answer: then nobody reads it.
    pending.then((late) => late.body?.cancel()).catch(() => undefined)
    if (signal.aborted || error instanceof AgentTransportError) throw error
    const message = 'The server could not be reached; check the connection and try again.'
    throw new AgentTransportError('network', message, { retryable: true, cause: error })
  }
  const { status, headers, body } = response
  if (status !== 200) {
    const serverCode = await readServerCode(response, options)
    const named = serverCode === undefined ? '' : ` (${serverCode})`
    throw new AgentTransportError('http_status', `The server answered with status ${status}${named}, not 200.`, {
      status,
      serverCode,
      retryable: isRetryableStatus(status),
      retryAfter: getRetryAfter(headers, options.now),
    })
  }
  const mediaType = (headers.get('content-type') ?? '').split(';', 1)[0]!.trim().toLowerCase()
  if (!options.mediaTypes.includes(mediaType) || !body) {
    body?.cancel().catch(() => undefined)
    const message = `The server answered without content type ${options.mediaTypes[0]}: something else answers at this URL.`
    throw new AgentTransportError('content_type', message, { status })
  }
  options.onHeaders?.(headers)
  return body
}

async function startFetch(
  request: HttpStreamRequest,
  options: { mediaTypes: readonly [string, ...string[]]; fetch: typeof fetch; signal: AbortSignal },
): Promise<Response> {
  const { url, method, headers, body, credentials } = request
  return options.fetch(url, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers: mergeHeaders({ accept: options.mediaTypes[0] }, headers),
    body,
    signal: options.signal,
    cache: 'no-store',
    ...(credentials !== undefined && { credentials }),
  })
}
