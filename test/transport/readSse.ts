import { AgentTransportError, createSseTransport, type SseMessage, type SseTransportOptions } from 'redux-agent'

/** A `fetch` that answers with these pieces as an event stream. */
export const answerWith =
  (pieces: readonly Uint8Array[], init: ResponseInit = {}): typeof fetch =>
  () => {
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const piece of pieces) controller.enqueue(piece)
        controller.close()
      },
    })
    return Promise.resolve(new Response(body, { headers: { 'content-type': 'text/event-stream' }, ...init }))
  }

/** Reads pieces by the transport to their end: the messages, and the error that a stream without an end gives. */
export async function readSse(
  pieces: readonly Uint8Array[],
  options: Partial<SseTransportOptions<string, SseMessage>> = {},
): Promise<{ messages: SseMessage[]; error: unknown }> {
  const transport = createSseTransport<string, SseMessage>({
    request: (url) => ({ url }),
    parse: (message) => message,
    isEnd: () => false,
    fetch: answerWith(pieces),
    ...options,
  })
  return readAll(transport.open('https://example.com/stream', new AbortController().signal))
}

/** Reads a stream to its end or its error. */
export async function readAll<Chunk>(chunks: AsyncIterable<Chunk>): Promise<{ messages: Chunk[]; error: unknown }> {
  const messages: Chunk[] = []
  try {
    for await (const chunk of chunks) messages.push(chunk)
    return { messages, error: undefined }
  } catch (error) {
    return { messages, error }
  }
}

/** The reconnection time that the stream asked for. */
export const retryOf = (error: unknown) => (error instanceof AgentTransportError ? error.retryAfter : undefined)
