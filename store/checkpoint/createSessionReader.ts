import { AgentCheckpointError } from '../../src/checkpoint/agentCheckpointError.ts'
import { apart } from '../batch/apart.ts'
import { flushApart } from '../batch/flushApart.ts'
import { isWireWanted } from '../connection/isWireWanted.ts'
import type { Runner } from '../runtime/runner.ts'
import { createDeferred } from '../runtime/deferred.ts'
import type { StoreContext } from '../runtime/storeContext.ts'
import type { CheckpointReporter } from './createCheckpointReporter.ts'
import { loadCheckpoint, type LoadedCheckpoint } from './loadCheckpoint.ts'
import type { OpenSession } from './openSession.ts'
import { restoreCheckpoint } from './restoreCheckpoint.ts'
import { within } from './within.ts'

/** Reads sessions from their storage and puts them in place (RFC, section 12.4). */
export interface SessionReader {
  /** Reads the storage from the start, as a page does that has nothing; rejects with why it could not. */
  restore(session: OpenSession): Promise<void>
  /** Reads the storage beside what memory has; rejects with why it could not. */
  read(session: OpenSession): Promise<void>
  /** Goes on with the wires that another tab had open, or this one before another took the session. */
  takeOver(sessionId: string): void
  /** From now on nothing is put in place. */
  close(): void
}

export function createSessionReader(options: {
  context: Omit<StoreContext, 'checkpoints'>
  /** How long a session waits for its storage, in milliseconds. */
  patience: number
  reporter: CheckpointReporter
  getRunner: () => Runner
  /** A session is not in its storage any more. */
  onGone: (sessionId: string) => void
}): SessionReader {
  const { context, patience, reporter, getRunner, onGone } = options
  const { batcher, environment, present } = context
  let isClosed = false

  function restore(session: OpenSession): Promise<void> {
    const { released } = session
    session.phase = 'restoring'
    session.released = createDeferred()
    // What waits for another tab's word goes on waiting, as that did not come.
    released.resolve(session.released.promise)
    reporter.say(session.sessionId, { restore: 'restoring' })
    return read(session).finally(() => session.tab?.answer())
  }

  async function read(session: OpenSession): Promise<void> {
    const { sessionId, storage } = session
    const load = (session.loading ??= loadCheckpoint(storage, sessionId))
    const timely = await within(load, { environment, time: patience })
    // Removed meanwhile: what was read is no longer so.
    if (session.loading !== load) return
    if (timely) return settle(session, timely)
    // It may still come: it is put in place then, beside what has begun meanwhile.
    void settleLate(session, load)
    const message = 'The storage did not answer in time. Nothing is written over what it may hold.'
    throw fail(session, new AgentCheckpointError('load_failed', { message }))
  }

  async function settleLate(session: OpenSession, load: Promise<LoadedCheckpoint>): Promise<void> {
    const late = await load
    if (session.loading !== load || session.phase !== 'blocked') return
    try {
      settle(session, late)
    } catch {
      // It stands in the connection; nobody waits any more.
    }
  }

  /** Goes on without what could not be read, over which nothing is written. */
  function fail(session: OpenSession, error: AgentCheckpointError, isCleared = false): AgentCheckpointError {
    session.phase = isCleared ? 'ready' : 'blocked'
    reporter.report(session.sessionId, error, 'failed')
    // A page that was asleep has wires of before, which nobody reads.
    takeOver(session.sessionId)
    session.released.resolve()
    return error
  }

  function settle(session: OpenSession, { checkpoint, error, ...loaded }: LoadedCheckpoint): void {
    // Its wires would be opened for nobody.
    if (isClosed) return
    const { sessionId } = session
    session.loading = undefined
    if (error) throw fail(session, error, 'isCleared' in loaded && loaded.isCleared)
    flushApart(batcher)
    // Removed while this page slept, by a tab that is gone: kept, what was removed would be stored again.
    const isGone = !checkpoint && session.phase === 'restoring' && session.isStored && !isReading(sessionId)
    if (isGone) onGone(sessionId)
    session.isStored ||= checkpoint !== undefined
    const hasBegun = !isGone && Object.hasOwn(present.get().agentState.sessions, sessionId)
    const runner = getRunner()
    for (const [runId, { startedAt }] of Object.entries(checkpoint?.connectionByRun ?? {})) {
      if (startedAt !== undefined) session.startTimes.restore(runId, startedAt)
    }
    const { runs, latestRunId } = checkpoint
      ? restoreCheckpoint({ context: context as StoreContext, runner, checkpoint, ...session })
      : { runs: [], latestRunId: undefined }
    session.phase = 'ready'
    reporter.settle(sessionId)
    if (hasBegun) session.writer.schedule()
    for (const { runId, wasOpen } of runs) {
      apart(() => runner.takeUp(runId, { isAutomatic: runId === latestRunId, wasOpen }))
    }
    takeOver(sessionId)
    session.tab?.renew()
    session.released.resolve()
  }

  const ownRuns = (sessionId: string) =>
    Object.values(present.get().connection.runs).filter((run) => run.sessionId === sessionId && !run.isFollowed)

  const isReading = (sessionId: string) => ownRuns(sessionId).some(({ runId }) => getRunner().isReading(runId))

  function takeOver(sessionId: string) {
    for (const { runId, state } of ownRuns(sessionId)) {
      if (isWireWanted(state)) apart(() => getRunner().takeOver(runId))
    }
  }

  return { restore, read, takeOver, close: () => void (isClosed = true) }
}
