import type { AgentTransport } from '../provider/agentTransport.ts'
import { createSseParser, type SseMessage } from './createSseParser.ts'
import { createHttpStreamTransport, type HttpStreamOptions, type StreamFormat } from './httpStream.ts'

/** What an event stream is asked for with, and what its messages mean. */
export type SseTransportOptions<Request, Chunk> = HttpStreamOptions<Request, Chunk, SseMessage>

const sse: StreamFormat<SseMessage> = {
  kind: 'sse',
  name: 'sse',
  mediaTypes: ['text/event-stream'],
  createParser: createSseParser,
}

/**
 * Makes a transport over server-sent events by `fetch`, so that it takes any method, body and headers. Its iteration
 * throws AgentTransportError, whose `retryable` and `retryAfter` say whether and when to try again, and the signal's
 * reason after an abort.
 *
 * @example
 * const transport = createSseTransport({
 *   request: async (body: object) => ({ url: '/chat', body: JSON.stringify(body), headers: await getHeaders() }),
 *   parse: ({ data }) => JSON.parse(data) as unknown,
 * })
 */
export function createSseTransport<Request, Chunk>(
  options: SseTransportOptions<Request, Chunk>,
): AgentTransport<Request, Chunk> {
  return createHttpStreamTransport(options, sse)
}
