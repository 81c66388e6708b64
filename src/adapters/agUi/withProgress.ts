import { isRecord } from '../../protocol/predicates.ts'
import type { AgentTransport } from '../../provider/agentTransport.ts'
import { AgentTransportError } from '../../transport/agentTransportError.ts'
import { parseJson } from '../../parseJson.ts'
import { agUiAdapter as adapter } from './agUiAdapter.ts'
import type { AgUiChunk } from './agUiChunk.ts'
import { readProgress, type AgUiProgress } from './agUiProgress.ts'
import type { AgUiRequest } from './agUiRequest.ts'

type Transport = AgentTransport<AgUiRequest, AgUiChunk>

/** Lets a transport's cursor hold, beside the place in the stream, what its reader has in hand there. */
export function withProgress(transport: Transport): {
  transport: Transport
  /** Notes what the reader has in hand once it has read a chunk. */
  note(chunk: AgUiChunk, progress: AgUiProgress | undefined): void
} {
  const { kind, open, resume, getCursor } = transport
  const noted = new WeakMap<AgUiChunk, AgUiProgress>()
  return {
    note(chunk, progress) {
      if (progress) noted.set(chunk, progress)
    },
    transport: {
      kind,
      open: (request, signal) => open.call(transport, request, signal),
      ...(getCursor && {
        getCursor(chunk: AgUiChunk) {
          const cursor = getCursor.call(transport, chunk)
          const progress = noted.get(chunk)
          return cursor === undefined || !progress ? cursor : JSON.stringify({ after: cursor, progress })
        },
      }),
      ...(resume && {
        resume(request: AgUiRequest, stated: string, signal: AbortSignal) {
          const { cursor, progress } = readCursor(stated)
          request.progress = progress
          return resume.call(transport, request, cursor, signal)
        },
      }),
    },
  }
}

/** A cursor of the transport's own holds nothing else. */
function readCursor(stated: string): { cursor: string; progress: AgUiProgress | undefined } {
  const value = parseJson(stated)
  if (!isRecord(value) || typeof value.after !== 'string' || !isRecord(value.progress)) return { cursor: stated, progress: undefined }
  const progress = readProgress(value.progress)
  if (progress) return { cursor: value.after, progress }
  const message = `${adapter}: The cursor is not one of this adapter; start a new run.`
  throw new AgentTransportError('resume_unavailable', message, { adapter })
}
