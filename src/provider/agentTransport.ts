/** How a transport moves chunks; a provider's own way is named `vendor.kind`. */
export type AgentTransportKind = 'sse' | 'websocket' | 'async-iterable' | `${string}.${string}`

/** Moves a run's chunks (RFC, section 13.1). Closing it says nothing about the run. */
export interface AgentTransport<Request, Chunk> {
  readonly kind: AgentTransportKind
  /** Opens the stream; its iteration ends when the wire does, and throws where the wire breaks. */
  open(request: Request, signal: AbortSignal): AsyncIterable<Chunk>
  /** The opaque cursor after this chunk, where it has one. */
  getCursor?(chunk: Chunk): string | undefined
  /** Opens the stream again after a cursor. */
  resume?(request: Request, cursor: string, signal: AbortSignal): AsyncIterable<Chunk>
  /**
   * Reads a run that somebody else drives, after a sequence, and goes on with it: a reading that starts, resumes and
   * changes nothing. For providers whose sequences are `dense`; 0 is the whole run.
   *
   * @experimental
   */
  follow?(run: { sessionId: string; runId: string; after: number }, signal: AbortSignal): AsyncIterable<Chunk>
}
