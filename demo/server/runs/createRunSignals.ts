import type { SetTimer } from '../setTimer.ts'
import type { RunServerStore, RunVersion } from '../store/runServerStore.ts'

/**
 * Says that something of a run may have changed. A signal carries nothing and only means "read again", so that one too
 * many or one that came early does no harm.
 */
export interface RunSignals {
  /** Tells this process at once, and others as soon as may be. */
  notify(runId: string): void
  /** Calls `listener` at every signal of the run; what it returns ends that. */
  subscribe(runId: string, listener: () => void): () => void
  close(): void
}

/** How long notifications for other processes are gathered, in milliseconds: one each for many changes of a run. */
const publishDelay = 20

/**
 * Makes the signals of one process. Where others write to the same store, their hints are passed on, and every
 * `pollMs` milliseconds the runs that somebody waits for are looked at all the same: hints get lost.
 */
export function createRunSignals(options: {
  store: Pick<RunServerStore, 'read' | 'isShared' | 'hints'>
  setTimer: SetTimer
  pollMs: number
}): RunSignals {
  const { store, setTimer, pollMs } = options
  const listenersByRun = new Map<string, Set<() => void>>()
  const versions = new Map<string, string>()
  const unpublished = new Set<string>()
  let cancelPoll: (() => void) | undefined
  let cancelPublish: (() => void) | undefined
  let isClosed = false

  const tell = (runId: string) => {
    for (const listener of [...(listenersByRun.get(runId) ?? [])]) listener()
  }
  const unsubscribeHints = store.hints?.subscribe((runId) => {
    for (const changed of runId === undefined ? [...listenersByRun.keys()] : [runId]) tell(changed)
  })
  const publish = () => {
    cancelPublish = undefined
    const runIds = [...unpublished]
    unpublished.clear()
    // Whoever misses it polls.
    store.hints?.publish(runIds).catch(() => undefined)
  }
  const poll = async () => {
    const found = await store.read(({ runs }) => runs.listVersions([...listenersByRun.keys()]))
    for (const version of found) {
      const text = formatVersion(version)
      const known = versions.get(version.runId)
      if (!listenersByRun.has(version.runId) || known === text) continue
      versions.set(version.runId, text)
      tell(version.runId)
    }
  }
  const schedulePoll = () => {
    if (cancelPoll !== undefined || isClosed || !store.isShared || listenersByRun.size === 0) return
    cancelPoll = setTimer(() => {
      // A database that is away for a while is asked again.
      void poll()
        .catch(() => undefined)
        .finally(() => {
          cancelPoll = undefined
          schedulePoll()
        })
    }, pollMs)
  }

  return {
    notify(runId) {
      tell(runId)
      if (store.hints === undefined || isClosed) return
      unpublished.add(runId)
      cancelPublish ??= setTimer(publish, publishDelay)
    },
    subscribe(runId, listener) {
      const listeners = listenersByRun.get(runId) ?? new Set()
      listenersByRun.set(runId, listeners.add(listener))
      schedulePoll()
      return () => {
        listeners.delete(listener)
        if (listeners.size > 0 || listenersByRun.get(runId) !== listeners) return
        listenersByRun.delete(runId)
        versions.delete(runId)
      }
    },
    close() {
      isClosed = true
      cancelPoll?.()
      cancelPublish?.()
      unsubscribeHints?.()
    },
  }
}

function formatVersion({ lastSeq, status, epoch }: RunVersion): string {
  return `${lastSeq} ${status} ${epoch}`
}
