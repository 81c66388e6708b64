import type { SavedLane } from './agUiProgress.ts'
import { createSavedEntries } from './createSavedEntries.ts'
import type { AgUiEventOf, AgUiEvent } from './parseAgUiEvent.ts'

type ChunkEvent =
  | AgUiEventOf<'TEXT_MESSAGE_CHUNK'>
  | AgUiEventOf<'TOOL_CALL_CHUNK'>
  | AgUiEventOf<'REASONING_MESSAGE_CHUNK'>
type Kind = 'text' | 'tool' | 'reasoning'

/** Takes what chunks stand for. */
export interface ChunkHandlers {
  /** What an earlier connection was in the middle of. */
  readonly restored: readonly SavedLane[] | undefined
  begin(kind: Kind, id: string, chunk: ChunkEvent): void
  append(kind: Kind, id: string, delta: string): void
  end(kind: Kind, id: string): void
  fail(what: string): never
}

interface Lane {
  readonly kind: Kind
  readonly id: string
  /** Whether a chunk without an id still means it. */
  readonly isCurrent: boolean
}

const kinds = { TEXT_MESSAGE_CHUNK: 'text', TOOL_CALL_CHUNK: 'tool', REASONING_MESSAGE_CHUNK: 'reasoning' } as const

/** Follows the chunk events, which say begin, content and end in one: one stream at a time for each subagent. */
export interface ChunkLanes {
  /** Takes an event that is a chunk; says whether it was one. Any other event ends what a chunk without an id means. */
  take(event: AgUiEvent): boolean
  /** Ends what is open, as it does at the end of the run. */
  close(): void
  /** Gives what they are in the middle of, for the next connection. */
  save(): string | undefined
}

export function createChunkLanes(handlers: ChunkHandlers): ChunkLanes {
  const lanes = new Map<string, Lane>()
  const saved = createSavedEntries()
  for (const { owner, ...lane } of handlers.restored ?? []) keep(owner, lane)

  function keep(owner: string, lane: Lane) {
    lanes.set(owner, lane)
    saved.set(owner, JSON.stringify({ owner, ...lane } satisfies SavedLane))
  }

  function end(owner: string) {
    const lane = lanes.get(owner)
    if (!lane || !lanes.delete(owner)) return
    saved.set(owner, undefined)
    handlers.end(lane.kind, lane.id)
  }

  function takeChunk(chunk: ChunkEvent) {
    const owner = chunk.subagentRunId ?? ''
    const kind = kinds[chunk.type]
    const id = chunk.type === 'TOOL_CALL_CHUNK' ? chunk.toolCallId : chunk.messageId
    let lane = lanes.get(owner)
    if (id === undefined) {
      if (!lane?.isCurrent || lane.kind !== kind) return handlers.fail('continues a chunk stream that is not open')
    } else if (!lane || lane.kind !== kind || lane.id !== id) {
      end(owner)
      lane = { kind, id, isCurrent: true }
      keep(owner, lane)
      handlers.begin(kind, id, chunk)
    }
    if (!lane.isCurrent) keep(owner, { ...lane, isCurrent: true })
    if (chunk.delta !== undefined && chunk.delta !== '') handlers.append(kind, lane.id, chunk.delta)
  }

  /** An event that begins or ends a text or a call itself ends what chunks have in its lane. */
  function isBoundary({ type }: AgUiEvent): boolean {
    return /^(TEXT_MESSAGE|TOOL_CALL|REASONING|THINKING)_/.test(type) && type !== 'REASONING_ENCRYPTED_VALUE'
  }

  return {
    take(event) {
      if (Object.hasOwn(kinds, event.type)) {
        takeChunk(event as ChunkEvent)
        return true
      }
      // A word of something else in between: a chunk that names its id still goes on with it.
      for (const [owner, lane] of lanes) if (lane.isCurrent) keep(owner, { ...lane, isCurrent: false })
      if (isBoundary(event)) end(event.subagentRunId ?? '')
      return false
    },
    close() {
      for (const owner of [...lanes.keys()]) end(owner)
    },
    save: saved.toJson,
  }
}
