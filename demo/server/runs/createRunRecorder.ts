import type { CheckpointKind, EventRow } from '../store/rows.ts'
import type { RunServerTransaction } from '../store/runServerStore.ts'
import { appendEvents } from './appendEvents.ts'
import type { DeltaWriter } from './createDeltaWriter.ts'
import type { DeltaDraft, EventDraft } from './eventDraft.ts'
import { getCheckpointKind } from './getCheckpointKind.ts'
import type { RunServices } from './runServices.ts'
import { writeCheckpoint } from './writeCheckpoint.ts'

/** Writes what belongs to some events in their own transaction, and gives these events; it may be run again. */
export type RecorderWork = (transaction: RunServerTransaction) => Promise<readonly EventDraft[]>

/** Stores one run's events in the order in which they are given, and only then lets others see them. */
export interface RunRecorder {
  /** Gathers text for a while, so that one row holds many tokens. */
  delta(draft: DeltaDraft): void
  /** Stores what was gathered, then these. */
  record(drafts: readonly EventDraft[]): Promise<void>
  /** Stores what was gathered, then does the work and stores its events and a checkpoint, all or nothing. */
  commit(work: RecorderWork, checkpoint?: CheckpointKind): Promise<void>
  /** Stores what was gathered. */
  flush(): Promise<void>
}

/** Makes the recorder of one run under one lease. */
export function createRunRecorder(
  services: RunServices,
  options: { runId: string; epoch: number; writeDeltas: DeltaWriter },
): RunRecorder {
  const { store, signals, setTimer, now, crashPoint, observer, settings } = services
  const { runId, epoch, writeDeltas } = options
  let gathered: DeltaDraft[] = []
  let cancelTimer: (() => void) | undefined
  let last: Promise<void> = Promise.resolve()
  let lengthSinceCheckpoint = 0

  const chooseCheckpoint = (rows: readonly EventRow[], wanted: CheckpointKind | undefined) => {
    const kind = wanted ?? rows.map(({ event }) => getCheckpointKind(event.type)).findLast((one) => one !== undefined)
    if (kind !== undefined) return kind
    return lengthSinceCheckpoint >= settings.checkpointLength ? 'assistant_delta' : undefined
  }
  const write = async (work: RecorderWork, wanted?: CheckpointKind) => {
    const startedAt = now()
    const stored = await store.transaction(async (transaction) => {
      const drafts = await work(transaction)
      crashPoint('event.before')
      const rows = await appendEvents(transaction, { runId, drafts, now: now(), epoch })
      const kind = chooseCheckpoint(rows, wanted)
      if (kind !== undefined) {
        crashPoint('checkpoint.before')
        await writeCheckpoint(transaction, { runId, kind, now: now() })
      }
      return { rows, kind }
    })
    crashPoint('event.after')
    if (stored.kind !== undefined) {
      lengthSinceCheckpoint = 0
      crashPoint('checkpoint.after')
    }
    observer.eventsStored?.(runId, stored.rows, now() - startedAt)
    signals.notify(runId)
  }
  const writeGathered = async (drafts: readonly DeltaDraft[]) => {
    // A checkpoint is made of the run alone.
    if (lengthSinceCheckpoint >= settings.checkpointLength) return write(async () => drafts)
    const startedAt = now()
    const rows = await writeDeltas({ runId, epoch, drafts })
    if (rows === undefined) return write(async () => drafts)
    crashPoint('event.after')
    observer.eventsStored?.(runId, rows, now() - startedAt)
    signals.notify(runId)
  }
  const takeGathered = () => {
    cancelTimer?.()
    cancelTimer = undefined
    const taken = gathered
    gathered = []
    return taken
  }
  const flush = () => {
    const drafts = takeGathered()
    // After a failure nothing more is stored: what follows it would stand where the lost part should.
    if (drafts.length > 0) last = last.then(() => writeGathered(drafts))
    // Whoever records next meets the failure.
    last.catch(() => undefined)
    return last
  }
  const commit = (work: RecorderWork, checkpoint?: CheckpointKind) => {
    // The work may be refused and taken back; what was gathered before it must stand all the same.
    const before = flush()
    const written = before.then(() =>
      write(async (transaction) => {
        // Whoever decides about the run takes this lock first too.
        await transaction.runs.lock(runId)
        return work(transaction)
      }, checkpoint),
    )
    last = written.catch(() => before)
    // Where nobody records next, a failure of what was gathered must not take the process down.
    last.catch(() => undefined)
    return written
  }
  const record = (drafts: readonly EventDraft[]) => {
    const all = [...takeGathered(), ...drafts]
    last = last.then(() => write(async () => all))
    return last
  }

  return {
    record,
    commit,
    flush,
    delta(draft) {
      const previous = gathered[gathered.length - 1]
      lengthSinceCheckpoint += draft.payload.delta.length
      if (previous !== undefined && isSameText(previous, draft)) previous.payload.delta += draft.payload.delta
      else gathered.push(structuredClone(draft))
      cancelTimer ??= setTimer(() => void flush(), settings.gatherMs)
    },
  }
}

function isSameText(one: DeltaDraft, other: DeltaDraft): boolean {
  return one.type === other.type && textIdOf(one) === textIdOf(other)
}

function textIdOf({ payload }: DeltaDraft): string {
  if ('messageId' in payload) return payload.messageId
  return 'reasoningId' in payload ? payload.reasoningId : payload.toolCallId
}
