import type { SetTimer } from '../setTimer.ts'
import type { RunServerStore, RunServerTransaction } from '../store/runServerStore.ts'
import { appendEvents } from './appendEvents.ts'
import type { RunSignals } from './createRunSignals.ts'
import type { DeltaDraft, EventDraft } from './eventDraft.ts'

/** Writes what belongs to some events in their own transaction, and gives these events. */
export type RecorderWork = (transaction: RunServerTransaction) => Promise<readonly EventDraft[]>

/** Stores one run's events in the order in which they are given, and only then lets others see them. */
export interface RunRecorder {
  /** Gathers text for a while, so that one row holds many tokens. */
  delta(draft: DeltaDraft): void
  /** Stores what was gathered, then these. */
  record(drafts: readonly EventDraft[]): Promise<void>
  /** Stores what was gathered, then does the work and stores its events, both or neither. */
  commit(work: RecorderWork): Promise<void>
  /** Stores what was gathered. */
  flush(): Promise<void>
}

/** Makes the recorder of one run; deltas wait up to `gatherMs` milliseconds for more of their kind. */
export function createRunRecorder(options: {
  runId: string
  store: RunServerStore
  signals: RunSignals
  setTimer: SetTimer
  gatherMs: number
  now(): number
}): RunRecorder {
  const { runId, store, signals, setTimer, gatherMs, now } = options
  let gathered: DeltaDraft[] = []
  let cancelTimer: (() => void) | undefined
  let last: Promise<void> = Promise.resolve()

  const write = async (work: RecorderWork) => {
    await store.transaction(async (transaction) => {
      const drafts = await work(transaction)
      return appendEvents(transaction, { runId, drafts, now: now() })
    })
    signals.notify(runId)
  }
  const takeGathered = () => {
    cancelTimer?.()
    cancelTimer = undefined
    const taken = gathered as EventDraft[]
    gathered = []
    return taken
  }
  const flush = () => {
    const drafts = takeGathered()
    // After a failure nothing more is stored: what follows it would stand where the lost part should.
    if (drafts.length > 0) last = last.then(() => write(async () => drafts))
    // Whoever records next meets the failure.
    last.catch(() => undefined)
    return last
  }
  const commit = (work: RecorderWork) => {
    // The work may be refused and taken back; what was gathered before it must stand all the same.
    const before = flush()
    const written = before.then(() => write(work))
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
      if (previous !== undefined && isSameText(previous, draft)) previous.payload.delta += draft.payload.delta
      else gathered.push(structuredClone(draft))
      cancelTimer ??= setTimer(() => void flush(), gatherMs)
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
