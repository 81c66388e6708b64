import type { AgentTransport } from '../provider/agentTransport.ts'
import { AgentTransportError } from '../transport/agentTransportError.ts'

/** What goes wrong on one connection. */
export interface TransportFaults {
  /** Cuts the wire once this many chunks were delivered; 0 refuses the connection. */
  cutAfterChunks?: number | undefined
  /** What a cut throws, `undefined` included where it is stated; by default a `network` error that is retryable. */
  error?: unknown
  /** Makes a cut look like a normal end. */
  endSilently?: boolean | undefined
  /** How often a chunk is delivered, by its place on this connection; once by default. */
  repeat?: ((index: number) => number) | undefined
  /** Holds a chunk back until the promise resolves. */
  delay?: ((index: number) => Promise<void> | undefined) | undefined
}

/** A connection that the faults are planned for; `index` counts opens, resumes and readings alike. */
export interface TransportConnection {
  index: number
  kind: 'open' | 'resume' | 'follow'
  cursor?: string | undefined
}

/**
 * Wraps a transport so that each connection fails as planned: cut, repeated, late.
 *
 * @example
 * const transport = createFaultyTransport(provider.transport, ({ index }) =>
 *   index === 0 ? { cutAfterChunks: 3 } : {},
 * )
 */
export function createFaultyTransport<Request, Chunk>(
  transport: AgentTransport<Request, Chunk>,
  plan: (connection: TransportConnection) => TransportFaults,
): AgentTransport<Request, Chunk> {
  let connections = 0
  const connect = (connection: Omit<TransportConnection, 'index'>, open: () => AsyncIterable<Chunk>) => {
    const faults = plan({ ...connection, index: connections })
    connections += 1
    return withFaults(open, faults)
  }
  const { kind, resume, follow, getCursor } = transport
  return {
    kind,
    open: (request, signal) => connect({ kind: 'open' }, () => transport.open(request, signal)),
    ...(getCursor && { getCursor: (chunk: Chunk) => getCursor.call(transport, chunk) }),
    ...(resume && {
      resume: (request: Request, cursor: string, signal: AbortSignal) =>
        connect({ kind: 'resume', cursor }, () => resume.call(transport, request, cursor, signal)),
    }),
    ...(follow && {
      follow: (...reading: Parameters<typeof follow>) =>
        connect({ kind: 'follow' }, () => follow.apply(transport, reading)),
    }),
  }
}

async function* withFaults<Chunk>(
  open: () => AsyncIterable<Chunk>,
  faults: TransportFaults,
): AsyncGenerator<Chunk, void, undefined> {
  const { cutAfterChunks = Infinity, repeat, delay } = faults
  let delivered = 0
  if (cutAfterChunks > 0) {
    for await (const chunk of open()) {
      await delay?.(delivered)
      const times = repeat?.(delivered) ?? 1
      for (let time = 0; time < times; time += 1) yield chunk
      delivered += 1
      if (delivered >= cutAfterChunks) break
    }
  }
  if (delivered < cutAfterChunks || faults.endSilently) return
  if ('error' in faults) throw faults.error
  throw new AgentTransportError('network', 'The connection was cut by plan.', { retryable: true })
}
