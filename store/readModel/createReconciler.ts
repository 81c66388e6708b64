import type { UnknownAction } from '@reduxjs/toolkit'
import { isRunEnd } from '../../src/state/isRunEnd.ts'
import { getOwn } from '../../src/state/ownRecord.ts'
import type { AgentConnectionState } from '../connection/agentRunConnection.ts'
import { getRunOutlook } from '../connection/getRunOutlook.ts'
import { readBatch } from '../batch/readBatch.ts'
import type { StoreContext } from '../runtime/storeContext.ts'

/** What stands for good of a session, as far as a runtime deals with it. */
export interface ReadModel {
  readonly sessionId: string
  /** Whether there is anything of it to be seen yet. */
  isShown(): boolean
  /** Reads it anew; rejects where that failed. */
  refetch(): Promise<void>
  /** Gets ready to show a run that is about to be let go of; the run stays where it rejects. */
  prepare?: ((run: { runId: string; sessionId: string }) => Promise<unknown> | undefined | void) | undefined
}

/** A run as a read model holds it: up to this sequence. */
export interface HeldRun {
  readonly runId: string
  readonly lastSequence: number
}

/**
 * Brings active turn and read model together (design, section 9): a run that ends live has its session's read model
 * read anew, and once that holds the run's last sequence the run's state is let go of.
 */
export interface Reconciler {
  /** Makes a read model known until the function is called that this gives. */
  register(model: ReadModel): () => void
  /** Says what a session's read model holds by now. */
  hold(sessionId: string, runs: readonly HeldRun[]): void
  /** Lets go of a run's state at once. */
  release(run: { runId: string; sessionId: string }): void
  /** Takes note of a change that the present has taken. */
  note(action: UnknownAction): void
}

/** How often a read model that lags behind is read again, and after how long at first, in milliseconds. */
const maxReadings = 4
const firstDelay = 1000

const busyStates: readonly (AgentConnectionState | undefined)[] = ['connecting', 'connected', 'reconnecting']

export function createReconciler(
  context: Omit<StoreContext, 'checkpoints'>,
  options: {
    maxSettledRuns: number
    getFollower: () => { has(runId: string): boolean; isReplay(runId: string): boolean }
  },
): Reconciler {
  const { actions, environment, liveRuns, present } = context
  const { maxSettledRuns, getFollower } = options
  const models = new Map<string, Set<ReadModel>>()
  /** By session and run, the sequence up to which a read model holds the run. */
  const held = new Map<string, Map<string, number>>()
  const prepared = new Map<string, 'pending' | 'ready'>()
  const due = new Set<string>()

  const settledOf = (sessionId: string) => getOwn(present.get().agentState.sessions, sessionId)?.settled

  function isHeld(sessionId: string, runId: string): boolean {
    const last = settledOf(sessionId)?.lastSequenceByRun[runId]
    return last !== undefined && (held.get(sessionId)?.get(runId) ?? -1) >= last
  }

  /** A run whose wire or whose commands are under way may still bring something. */
  function isBusy(runId: string): boolean {
    const live = liveRuns.get(runId)
    const isCommanded = live !== undefined && live.submitted.size + live.sending.size > 0
    return isCommanded || busyStates.includes(getOwn(present.get().connection.runs, runId)?.state)
  }

  function release({ runId, sessionId }: { runId: string; sessionId: string }): void {
    liveRuns.delete(runId)
    prepared.delete(runId)
    present.apply(actions.runReleased({ sessionId, runId }))
  }

  // In a turn of its own: whoever waits for the end of a run still finds it.
  function scheduleSweep(sessionId: string): void {
    if (due.has(sessionId)) return
    due.add(sessionId)
    environment.yieldToHost(() => {
      due.delete(sessionId)
      sweep(sessionId)
    })
  }

  function sweep(sessionId: string): void {
    const settled = settledOf(sessionId)
    if (!settled) return
    const isShown = [...(models.get(sessionId) ?? [])].some((model) => model.isShown())
    const runIds = Object.keys(settled.runs).filter((runId) => !isBusy(runId))
    for (const runId of runIds) {
      if (isShown && isHeld(sessionId, runId) && isPrepared({ runId, sessionId })) release({ runId, sessionId })
    }
    const left = Object.values(settledOf(sessionId)?.runs ?? {})
    const spare = left.filter(({ id }) => !isBusy(id) && !getFollower().has(id))
    spare.sort((one, other) => one.createdAt - other.createdAt)
    for (const { id } of spare.slice(0, Math.max(0, left.length - maxSettledRuns))) release({ runId: id, sessionId })
  }

  function isPrepared(run: { runId: string; sessionId: string }): boolean {
    const { runId, sessionId } = run
    const known = prepared.get(runId)
    if (known) return known === 'ready'
    let work: Promise<unknown>[]
    try {
      work = [...(models.get(sessionId) ?? [])].flatMap((model) => model.prepare?.(run) ?? [])
    } catch {
      // The app's own: one that throws is not ready, as one that rejects.
      return false
    }
    if (work.length === 0) return true
    prepared.set(runId, 'pending')
    void prepare(run, work)
    return false
  }

  async function prepare({ runId, sessionId }: { runId: string; sessionId: string }, work: readonly Promise<unknown>[]) {
    try {
      await Promise.all(work)
      prepared.set(runId, 'ready')
      scheduleSweep(sessionId)
    } catch {
      // What is not ready to be shown elsewhere is not let go of.
      prepared.delete(runId)
    }
  }

  async function reread(run: { runId: string; sessionId: string }, reading = 1): Promise<void> {
    const { runId, sessionId } = run
    const known = models.get(sessionId)
    if (!known || isHeld(sessionId, runId)) return
    const results = await Promise.allSettled([...known].map((model) => model.refetch()))
    const hasFailed = results.every(({ status }) => status === 'rejected')
    // A failure is the app's to try again; a read model that is only behind is asked again.
    if (hasFailed || reading === maxReadings || isHeld(sessionId, runId)) return
    environment.setTimer(() => void reread(run, reading + 1), firstDelay * 2 ** (reading - 1))
  }

  function noteEnd(run: { runId: string; sessionId: string }): void {
    if (getRunOutlook(present.get().agentState, run.runId) !== 'ended') return
    if (!getFollower().isReplay(run.runId)) void reread(run)
    scheduleSweep(run.sessionId)
  }

  return {
    release,
    register(model) {
      const { sessionId } = model
      const ofSession = models.get(sessionId) ?? new Set()
      models.set(sessionId, ofSession.add(model))
      return () => {
        ofSession.delete(model)
        if (ofSession.size > 0 || models.get(sessionId) !== ofSession) return
        models.delete(sessionId)
        held.delete(sessionId)
      }
    },
    hold(sessionId, runs) {
      if (!models.has(sessionId)) return
      const ofSession = held.get(sessionId) ?? new Map<string, number>()
      held.set(sessionId, ofSession)
      for (const { runId, lastSequence } of runs) ofSession.set(runId, Math.max(lastSequence, ofSession.get(runId) ?? -1))
      scheduleSweep(sessionId)
    },
    note(action) {
      if (models.size === 0 && maxSettledRuns === Infinity) return
      const { sessionRestored, connectionChanged, commandSucceeded, commandFailed } = actions
      const received = readBatch(actions, action)
      if (received) {
        const { sessionId, events } = received
        for (const { runId } of events.filter(isRunEnd)) noteEnd({ runId, sessionId })
      } else if (sessionRestored.match(action)) scheduleSweep(action.payload.sessionId)
      else if (commandSucceeded.match(action) || commandFailed.match(action)) {
        scheduleSweep(action.payload.command.sessionId)
      } else if (connectionChanged.match(action)) {
        const sessionId = getOwn(present.get().connection.runs, action.payload.runId)?.sessionId
        if (sessionId !== undefined) scheduleSweep(sessionId)
      }
    },
  }
}
