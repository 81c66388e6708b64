import { isRecord } from '../../protocol/predicates.ts'
import type { AgentTransport } from '../../provider/agentTransport.ts'
import { createFrameError } from '../../transport/createFrameError.ts'
import type { SseMessage } from '../../transport/createSseParser.ts'
import { mergeHeaders } from '../../transport/mergeHeaders.ts'
import { createSseTransport } from '../../transport/sse.ts'
import { adapterIdleTimeout } from '../support/adapterIdleTimeout.ts'
import { getAdapterHeaders } from '../support/getAdapterHeaders.ts'
import { agUiAdapter as adapter } from './agUiAdapter.ts'
import { formatAgUiCursor, parseAgUiCursor } from './agUiCursor.ts'
import type { AgUiChunk } from './agUiChunk.ts'
import { AgUiError } from './agUiError.ts'
import type { AgUiHttpRequest, AgUiProviderOptions } from './agUiOptions.ts'
import type { AgUiRequest } from './agUiRequest.ts'
import { fromSnakeCase } from './fromSnakeCase.ts'
import { withKnownEnd } from './withKnownEnd.ts'

/** Makes the transport of an agent at a URL: POST, and server-sent events. */
export function createAgUiTransport(options: AgUiProviderOptions): AgentTransport<AgUiRequest, AgUiChunk> {
  const { url, headers, credentials, fetch, idleTimeout = adapterIdleTimeout, timers, now, resume } = options

  async function toHttpRequest({ headers: own, ...request }: AgUiHttpRequest) {
    return { ...request, credentials, headers: mergeHeaders(await getAdapterHeaders({}, headers), own) }
  }

  const transport = createSseTransport<AgUiRequest, AgUiChunk>({
    adapter,
    fetch,
    idleTimeout,
    timers,
    now,
    parse,
    request({ idempotencyKey, getInput }) {
      if (url === undefined) throw new AgUiError('invalid_input', 'The AG-UI provider has neither url nor transport.')
      const own = {
        'content-type': 'application/json',
        ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
      }
      return toHttpRequest({ url, headers: own, body: JSON.stringify(getInput()) })
    },
    getCursor: ({ cursor }) => cursor,
    ...(resume && {
      resume(request: AgUiRequest, stated: string) {
        const { wireRunId, cursor } = parseAgUiCursor(stated)
        request.runId = wireRunId
        return toHttpRequest(resume.request({ threadId: request.threadId, runId: wireRunId, cursor }))
      },
    }),
  })

  function parse(message: SseMessage, request: AgUiRequest): AgUiChunk | undefined {
    // What has no words only keeps the line alive.
    if (['', '[DONE]'].includes(message.data.trim())) return undefined
    const index = request.chunks++
    let data: unknown
    try {
      data = JSON.parse(message.data)
    } catch {
      // What JSON.parse says quotes the text, so it is not the cause.
      throw createFrameError({ adapter, chunk: index }, 'is not JSON')
    }
    noteChunk(request, data)
    if (!resume) return { index, data }
    const { metadataKey } = resume
    const metadata = isRecord(data) && isRecord(data.metadata) ? data.metadata : {}
    const stated = metadataKey === undefined ? message.id : metadata[metadataKey]
    if (typeof stated !== 'string' && typeof stated !== 'number') return { index, data }
    if (stated === '') return { index, data }
    return { index, data, cursor: formatAgUiCursor({ wireRunId: request.runId, cursor: String(stated) }) }
  }

  return withKnownEnd(transport)
}

/** Notes what the request must know of its connection: the runtime's name of the run, and whether it has ended. */
export function noteChunk(request: AgUiRequest, chunk: unknown): void {
  const data = isRecord(chunk) && chunk.type === 'RUN_STARTED' ? fromSnakeCase(chunk) : chunk
  if (!isRecord(data)) return
  if (data.type === 'RUN_STARTED' && typeof data.runId === 'string' && data.runId !== '') request.runId = data.runId
  else if (data.type === 'RUN_FINISHED' || data.type === 'RUN_ERROR') request.hasEnded = true
}
