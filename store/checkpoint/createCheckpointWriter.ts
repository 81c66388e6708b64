import type { AgentCheckpoint } from '../../src/checkpoint/agentCheckpoint.ts'
import type { AgentCheckpointError } from '../../src/checkpoint/agentCheckpointError.ts'
import type { AgentCheckpointStorage } from '../../src/checkpoint/agentCheckpointStorage.ts'
import { toCheckpointError } from '../../src/checkpoint/toCheckpointError.ts'
import type { AgentEnvironment } from '../batch/agentEnvironment.ts'
import { within } from './within.ts'

/** Writes one session's checkpoints: seldom, or at once. */
export interface CheckpointWriter {
  /** Something has changed: it is written once the interval is over, with all that changes until then. */
  schedule(): void
  /** Writes now; resolves when this, or what replaced it, is written or failed. It never rejects. */
  write(): Promise<void>
  /** Writes what has changed since the last write that did not fail; a storage that gathers is told to hold nothing back. */
  flush(): void
  /** Writes what has changed, in the same turn where it can, and resolves when nothing is under way. */
  settle(): Promise<void>
  /** Does the same for the last time. */
  finish(): Promise<void>
  /** Forgets what has changed, and resolves when nothing is under way. */
  stop(): Promise<void>
  /**
   * Forgets what has changed and deletes what is stored, after what is under way. What hangs is not waited for: once it
   * has ended, all is deleted again, before anything else is written. Rejects as `erase` does.
   */
  remove(erase: () => Promise<void>): Promise<void>
}

export function createCheckpointWriter(options: {
  sessionId: string
  storage: AgentCheckpointStorage
  environment: AgentEnvironment
  /** The least time between two writes that nobody asked for, in milliseconds. */
  interval: number
  /** How long a removal waits for what is under way, in milliseconds. */
  patience: number
  /** Gives what is true now, or nothing where there is nothing to write. */
  build: () => AgentCheckpoint | undefined
  onSettled: (error: AgentCheckpointError | undefined) => void
}): CheckpointWriter {
  const { sessionId, storage, environment, interval, patience, build, onSettled } = options
  let cancelTimer: (() => void) | undefined
  let isDirty = false
  /** All that has not ended; a storage that gathers takes several at once. */
  const writes = new Set<Promise<void>>()
  let underWay: Promise<void> | undefined
  let next: Promise<void> | undefined
  /** Whether any of those that `next` stands for is not to be held back. */
  let isNextForced = false
  /** Rises with each removal: how the writes before it end is nobody's affair any more. */
  let epoch = 0
  /** What deletes again what a hanging write may yet bring back. */
  let cleaning: Promise<void> | undefined

  function schedule() {
    isDirty = true
    cancelTimer ??= environment.setTimer(() => {
      cancelTimer = undefined
      if (isDirty) void put(false)
    }, interval)
  }

  async function save(checkpoint: AgentCheckpoint, isForced: boolean): Promise<void> {
    const begun = epoch
    const settle = (error?: AgentCheckpointError) => {
      if (begun !== epoch) return
      // Nothing else may change any more: the page's end tries again.
      isDirty ||= error !== undefined
      onSettled(error)
    }
    try {
      const saved = storage.save(checkpoint)
      // In the same turn: a page that is about to go may not get another one.
      await Promise.all([saved, isForced ? flushStorage() : undefined])
      settle()
    } catch (cause) {
      settle(toCheckpointError(cause, 'save_failed'))
    }
  }

  /** Has the storage write what it holds back, in the same turn; what it throws rejects, beside the save's own fate. */
  async function flushStorage(): Promise<void> {
    await storage.flush?.(sessionId)
  }

  /** What the next write waits for; a storage with a flush merges writes by itself, and its unforced ones may wait long. */
  function obstacleOf(isForced: boolean): Promise<void> | undefined {
    return cleaning ?? (isForced && storage.flush ? undefined : underWay)
  }

  function put(isForced: boolean): Promise<void> {
    const obstacle = obstacleOf(isForced)
    if (obstacle) {
      isDirty = true
      isNextForced ||= isForced
      next ??= obstacle.then(() => {
        const isForcedNow = isNextForced
        next = undefined
        isNextForced = false
        return isDirty ? put(isForcedNow) : undefined
      })
      return next
    }
    isDirty = false
    const checkpoint = build()
    if (!checkpoint) return Promise.resolve()
    const work = save(checkpoint, isForced).finally(() => {
      writes.delete(work)
      if (underWay === work) underWay = undefined
    })
    writes.add(work)
    underWay = work
    return work
  }

  const stopTimer = () => {
    cancelTimer?.()
    cancelTimer = undefined
  }

  async function rest(): Promise<void> {
    await Promise.all([...writes, cleaning])
  }

  async function clean(erase: () => Promise<void>): Promise<void> {
    try {
      await erase()
    } catch (cause) {
      onSettled(toCheckpointError(cause, 'save_failed'))
    } finally {
      cleaning = undefined
    }
  }

  async function settle(): Promise<void> {
    stopTimer()
    if (isDirty) await put(true)
    await rest()
  }

  return {
    schedule,
    settle,
    write() {
      stopTimer()
      return put(true)
    },
    flush() {
      stopTimer()
      if (isDirty) void put(true)
      // What it holds back was taken already, and what becomes of it is told by that save.
      else if (underWay) void flushHeld()
    },
    async finish() {
      // What is written after this is another's, and not to be deleted.
      cleaning = undefined
      await settle()
    },
    async stop() {
      stopTimer()
      cleaning = undefined
      isDirty = false
      await rest()
    },
    async remove(erase) {
      stopTimer()
      isDirty = false
      const ended = rest()
      const hasEnded = await within(ended.then(() => true), { environment, time: patience })
      await erase()
      epoch += 1
      isDirty = false
      if (hasEnded) return
      const work: Promise<void> = ended.then(() => (cleaning === work ? clean(erase) : undefined))
      cleaning = work
    },
  }

  async function flushHeld() {
    try {
      await flushStorage()
    } catch {
      // The save's own promise tells.
    }
  }
}
