import { toBatches } from '../../provider/toBatches.ts'
import type { AgentTransport } from '../../provider/agentTransport.ts'
import { AgentTransportError } from '../../transport/agentTransportError.ts'
import { flattenBatches } from '../../transport/flattenBatches.ts'
import { nameWireError } from '../../transport/nameWireError.ts'
import { agUiAdapter as adapter } from './agUiAdapter.ts'
import type { AgUiChunk } from './agUiChunk.ts'
import type { AgUiRequest } from './agUiRequest.ts'

/**
 * Tells the two ends of a stream apart: one without RUN_FINISHED or RUN_ERROR is a loss, and once one of them has come
 * no fault of the wire matters any more.
 */
export function withKnownEnd(
  transport: AgentTransport<AgUiRequest, AgUiChunk>,
): AgentTransport<AgUiRequest, AgUiChunk> {
  const { kind, open, resume, getCursor } = transport
  return {
    kind,
    ...(getCursor && { getCursor }),
    open: (request, signal) => flattenBatches(readToEnd(() => open(request, signal), { request, signal })),
    ...(resume && {
      resume: (request: AgUiRequest, cursor: string, signal: AbortSignal) =>
        flattenBatches(readToEnd(() => resume(request, cursor, signal), { request, signal })),
    }),
  }
}

async function* readToEnd(
  open: () => AsyncIterable<AgUiChunk>,
  { request, signal }: { request: AgUiRequest; signal: AbortSignal },
): AsyncGenerator<readonly AgUiChunk[], void, undefined> {
  const batches = toBatches(open())
  let isDone = false
  try {
    for (;;) {
      const batch = await batches.next()
      if (batch.done) break
      yield batch.value
    }
    isDone = true
  } catch (error) {
    isDone = true
    if (!request.hasEnded || signal.aborted) throw error
  } finally {
    if (!isDone) await batches.return?.()
  }
  if (request.hasEnded) return
  const message = 'The stream ended before the AG-UI run did; what came is kept.'
  throw nameWireError(new AgentTransportError('incomplete', message, { retryable: true }), { adapter, after: request.chunks })
}
