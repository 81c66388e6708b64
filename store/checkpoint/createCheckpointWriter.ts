import type { AgentCheckpoint } from '../../src/checkpoint/agentCheckpoint.ts'
import type { AgentCheckpointError } from '../../src/checkpoint/agentCheckpointError.ts'
import type { AgentCheckpointStorage } from '../../src/checkpoint/agentCheckpointStorage.ts'
import { toCheckpointError } from '../../src/checkpoint/toCheckpointError.ts'
import type { AgentEnvironment } from '../batch/agentEnvironment.ts'

/** Writes one session's checkpoints: seldom, or at once. */
export interface CheckpointWriter {
  /** Something has changed: it is written once the interval is over, with all that changes until then. */
  schedule(): void
  /** Writes now; resolves when this, or what replaced it, is written or failed. It never rejects. */
  write(): Promise<void>
  /** Writes what has changed since the last write; a storage that gathers is told to hold nothing back. */
  flush(): void
  /** Writes what has changed, in the same turn where it can, and resolves when nothing is under way. */
  finish(): Promise<void>
  /** Forgets what has changed, and resolves when nothing is under way. */
  stop(): Promise<void>
}

export function createCheckpointWriter(options: {
  sessionId: string
  storage: AgentCheckpointStorage
  environment: AgentEnvironment
  /** The least time between two writes that nobody asked for, in milliseconds. */
  interval: number
  /** Gives what is true now, or nothing where there is nothing to write. */
  build: () => AgentCheckpoint | undefined
  onSettled: (error: AgentCheckpointError | undefined) => void
}): CheckpointWriter {
  const { sessionId, storage, environment, interval, build, onSettled } = options
  let cancelTimer: (() => void) | undefined
  let isDirty = false
  let underWay: Promise<void> | undefined
  let next: Promise<void> | undefined

  function schedule() {
    isDirty = true
    cancelTimer ??= environment.setTimer(() => {
      cancelTimer = undefined
      if (isDirty) void put(false)
    }, interval)
  }

  async function save(checkpoint: AgentCheckpoint, isForced: boolean): Promise<void> {
    try {
      const saved = storage.save(checkpoint)
      // In the same turn: a page that is about to go may not get another one.
      await Promise.all([saved, isForced ? flushStorage() : undefined])
      onSettled(undefined)
    } catch (cause) {
      onSettled(toCheckpointError(cause, 'save_failed'))
    }
  }

  /** Has the storage write what it holds back, in the same turn; what it throws rejects, beside the save's own fate. */
  async function flushStorage(): Promise<void> {
    await storage.flush?.(sessionId)
  }

  function put(isForced: boolean): Promise<void> {
    // A storage with a flush merges writes by itself, and its unforced ones may wait long; another gets one at a time.
    const mustWait = underWay !== undefined && !(isForced && storage.flush)
    if (mustWait) {
      isDirty = true
      next ??= underWay!.then(() => {
        next = undefined
        return isDirty ? put(isForced) : undefined
      })
      return next
    }
    isDirty = false
    const checkpoint = build()
    if (!checkpoint) return Promise.resolve()
    const work = save(checkpoint, isForced).finally(() => {
      if (underWay === work) underWay = undefined
    })
    underWay = work
    return work
  }

  const stopTimer = () => {
    cancelTimer?.()
    cancelTimer = undefined
  }

  return {
    schedule,
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
      stopTimer()
      if (isDirty) await put(true)
      await underWay
    },
    async stop() {
      stopTimer()
      isDirty = false
      await underWay
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
