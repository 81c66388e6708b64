import type { AgentTransport, AgentTransportKind } from '../provider/agentTransport.ts'

/** What an async iterable can do besides being opened. */
export interface AsyncIterableTransportOptions<Request, Chunk> {
  /** Opens the chunks after a cursor; without it the transport cannot resume. */
  resume?: ((request: Request, cursor: string, signal: AbortSignal) => AsyncIterable<Chunk>) | undefined
  getCursor?: ((chunk: Chunk) => string | undefined) | undefined
  kind?: AgentTransportKind | undefined
}

/**
 * Makes a transport of anything that can be iterated: an SDK's stream, a worker, a generator in a test.
 *
 * @example
 * const transport = createAsyncIterableTransport((request: ChatRequest, signal) => client.stream(request, { signal }))
 */
export function createAsyncIterableTransport<Request, Chunk>(
  open: (request: Request, signal: AbortSignal) => AsyncIterable<Chunk>,
  options: AsyncIterableTransportOptions<Request, Chunk> = {},
): AgentTransport<Request, Chunk> {
  const { resume, getCursor, kind = 'async-iterable' } = options
  return { kind, open, ...(resume && { resume }), ...(getCursor && { getCursor }) }
}
