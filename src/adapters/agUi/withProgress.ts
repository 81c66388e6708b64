import { parseJson } from '../../parseJson.ts'
import { isRecord } from '../../protocol/predicates.ts'
import type { AgentTransport } from '../../provider/agentTransport.ts'
import { AgentTransportError } from '../../transport/agentTransportError.ts'
import { agUiAdapter as adapter } from './agUiAdapter.ts'
import type { AgUiChunk } from './agUiChunk.ts'
import { savedCursorSchema, type SavedCursor } from './agUiProgress.ts'
import type { AgUiRequest } from './agUiRequest.ts'
import { createPlaces } from './createPlaces.ts'

type Transport = AgentTransport<AgUiRequest, AgUiChunk>

/**
 * Lets the cursor of a transport that goes on after it hold, beside the place in the stream, what its reader has in hand
 * there.
 */
export function withProgress(transport: Transport): {
  transport: Transport
  /** Notes what the reader has in hand once it has read a chunk, as JSON. */
  note(chunk: AgUiChunk, progress: string | undefined): void
} {
  const { kind, open, resume, getCursor } = transport
  const noted = new WeakMap<AgUiChunk, string>()
  const places = createPlaces((chunk) => getCursor?.call(transport, chunk))
  return {
    note(chunk, progress) {
      if (progress !== undefined) noted.set(chunk, progress)
    },
    transport: {
      kind,
      open: (request, signal) => places.follow(open.call(transport, request, signal)),
      getCursor(chunk: AgUiChunk) {
        const place = places.of(chunk)
        const progress = noted.get(chunk)
        if (!place || (!place.since && progress === undefined)) return place?.after
        const stated = JSON.stringify(place)
        return progress === undefined ? stated : `${stated.slice(0, -1)},"progress":${progress}}`
      },
      ...(resume && {
        resume(request: AgUiRequest, stated: string, signal: AbortSignal) {
          const { progress, ...place } = readCursor(stated)
          request.progress = progress
          return places.follow(resume.call(transport, request, place.after, signal), place)
        },
      }),
    },
  }
}

/** Reads a cursor, which may come from storage; one of the transport's own holds nothing else. */
function readCursor(stated: string): SavedCursor {
  const value = parseJson(stated)
  const isSaved = isRecord(value) && typeof value.after === 'string' && (isRecord(value.progress) || isRecord(value.since))
  if (!isSaved) return { after: stated }
  const saved = savedCursorSchema.safeParse(value)
  if (saved.success) return saved.data
  const message = `${adapter}: The cursor is not one of this adapter; start a new run.`
  throw new AgentTransportError('resume_unavailable', message, { adapter })
}
