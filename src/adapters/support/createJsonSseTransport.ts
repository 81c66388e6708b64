import { parseJson } from '../../parseJson.ts'
import type { AgentTransport } from '../../provider/agentTransport.ts'
import { createFrameError } from '../../transport/createFrameError.ts'
import type { SseMessage } from '../../transport/createSseParser.ts'
import { createSseTransport, type SseTransportOptions } from '../../transport/sse.ts'
import type { AdapterChunk } from './adapterChunk.ts'
import { adapterIdleTimeout } from './adapterIdleTimeout.ts'
import { fitsState } from './fitsState.ts'
import { mayNotFit } from './mayNotFit.ts'

/** What a JSON event stream is asked for with. */
export interface JsonSseTransportOptions<Request> extends Omit<
  SseTransportOptions<Request, AdapterChunk>,
  'parse' | 'kind'
> {
  /** The adapter's name, which stands in its errors. */
  adapter: string
}

/**
 * Makes a transport of event streams whose messages are JSON, as most runtimes send them: chunks are numbered by
 * connection, so that an error can name the one it is about without showing its content.
 */
export function createJsonSseTransport<Request>(
  options: JsonSseTransportOptions<Request>,
): AgentTransport<Request, AdapterChunk> {
  const { adapter, getCursor, resume, idleTimeout = adapterIdleTimeout } = options
  // Of its own a connection, as each one counts from 0.
  const connect = () =>
    createSseTransport<Request, AdapterChunk>({ ...options, idleTimeout, parse: createParse(adapter) })
  const { kind } = connect()
  return {
    kind,
    open: (request, signal) => connect().open(request, signal),
    ...(getCursor && { getCursor }),
    ...(resume && {
      resume: (request: Request, cursor: string, signal: AbortSignal) => connect().resume!(request, cursor, signal),
    }),
  }
}

function createParse(adapter: string): (message: SseMessage) => AdapterChunk | undefined {
  let index = -1
  return function parse({ data, event, id }) {
    const text = data.trim()
    // Without words it only keeps the line alive.
    if (text === '') return undefined
    index += 1
    if (text === '[DONE]') return { index, event, id, isDone: true }
    const value = parseJson(data)
    if (value === undefined) throw createFrameError({ adapter, chunk: index }, 'is not JSON')
    if (mayNotFit(data) && !fitsState(value)) {
      throw createFrameError({ adapter, chunk: index }, 'is nested too deeply, or holds a number that is too large')
    }
    return { index, event, id, isDone: false, data: value }
  }
}
