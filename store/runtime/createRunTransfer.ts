import { getOwn } from '../../src/state/ownRecord.ts'
import { apart } from '../batch/apart.ts'
import { getRunOutlook } from '../connection/getRunOutlook.ts'
import type { Connector } from './createConnector.ts'
import { findRun } from './findRun.ts'
import type { LiveRun } from './liveRun.ts'
import type { StoreContext } from './storeContext.ts'

/** Lets runs pass from one page or tab to another. */
export interface RunTransfer {
  /**
   * Says how a restored run goes on (RFC, section 12.4): it waits for a person, is resumed where that may happen by
   * itself, or is lost until somebody resumes it. One whose stream was open waits for more than a person.
   */
  takeUp(runId: string, options: { isAutomatic: boolean; wasOpen: boolean }): void
  /** Takes note of a run whose wire another tab reads: what it was started with, and how far the state is. */
  learn(run: { runId: string; input?: { value: unknown } | undefined; readTo?: number | undefined }): void
  /** Closes a session's wires, so that another tab goes on with them; nobody let go of its runs. */
  suspend(sessionId: string): void
  /** Whether another tab can go on with a session's wires. */
  canSuspend(sessionId: string): boolean
  /** Goes on with a run's wire that another tab had open, or this one before it was suspended. */
  takeOver(runId: string): void
}

export function createRunTransfer(
  { actions, liveRuns, present }: StoreContext,
  options: {
    connector: Connector
    isActive: (live: LiveRun) => boolean
    liveRunOf: (runId: string) => LiveRun | undefined
    resume: (live: LiveRun) => void
    /** Keeps what a run was started with until its provider is known; nothing where it is over. */
    keepInput: (runId: string, input: { value: unknown } | undefined) => void
  },
): RunTransfer {
  const { connector, isActive, liveRunOf, resume, keepInput } = options
  const outlookOf = (runId: string) => getRunOutlook(present.get().agentState, runId)
  const connectionOf = (runId: string) => getOwn(present.get().connection.runs, runId)
  /** The runs of a session that this runtime drives, or may come to drive. */
  const livesOf = (sessionId: string) =>
    [...liveRuns.values()].filter((live) => live.sessionId === sessionId && !connectionOf(live.runId)?.isFollowed)

  function goOn(runId: string, options: { isAutomatic: boolean; isLatest: boolean; wasOpen: boolean }) {
    const { isAutomatic, isLatest, wasOpen } = options
    const live = liveRunOf(runId)
    const canResume = live !== undefined && connector.canResume(live)
    // What ends its streams at a question goes on by the answer; a dense server's stream is followed, where it can be
    // and the run is the session's latest.
    const isFollowed = live?.provider.capabilities.sequence === 'dense' && canResume && isLatest
    const isParked = !isFollowed && !wasOpen && outlookOf(runId) === 'parked'
    if (connectionOf(runId)?.detached) connector.move(runId, 'restored', { canResume })
    else if (isParked) connector.move(runId, 'restored', { canResume: undefined })
    else if (live && canResume && isAutomatic && live.reconnect) resume(live)
    else connector.move(runId, 'restored_lost', { canResume })
  }

  return {
    takeUp: (runId, { isAutomatic, wasOpen }) =>
      goOn(runId, { isAutomatic: isAutomatic && present.show(), isLatest: isAutomatic, wasOpen }),

    learn({ runId, input, readTo }) {
      if (outlookOf(runId) === 'ended') {
        const live = liveRuns.get(runId)
        keepInput(runId, undefined)
        if (live?.sending.size === 0 && !isActive(live)) liveRuns.delete(runId)
        return
      }
      if (input && !liveRuns.has(runId)) keepInput(runId, input)
      const live = readTo === undefined ? liveRuns.get(runId) : liveRunOf(runId)
      const known = Math.max(findRun(present.get().agentState, runId)?.state.lastSequenceByRun[runId] ?? -1, readTo ?? -1)
      if (!live || known < 0) return
      live.sequencer.catchUp(known)
      live.readTo = Math.max(live.readTo, known)
    },

    suspend(sessionId) {
      for (const live of livesOf(sessionId)) if (isActive(live)) live.controller.abort()
    },

    canSuspend: (sessionId) =>
      livesOf(sessionId).every(
        (live) =>
          (!isActive(live) || connector.canResume(live)) &&
          (live.sending.size === 0 || live.provider.capabilities.sequence === 'dense'),
      ),

    takeOver(runId) {
      const connection = connectionOf(runId)
      const live = liveRuns.get(runId)
      if (!connection || (live && isActive(live))) return
      const restoring = actions.runRestored({ connection: { ...connection, state: 'restoring' }, isLatest: false })
      apart(() => present.apply(restoring))
      // Also while a past is shown: it is the run's wire that goes on, unseen, as it did in the other tab.
      goOn(runId, { isAutomatic: true, isLatest: true, wasOpen: true })
    },
  }
}
