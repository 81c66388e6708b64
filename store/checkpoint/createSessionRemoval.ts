import { AgentCheckpointError } from '../../src/checkpoint/agentCheckpointError.ts'
import type { AgentCheckpointStorage } from '../../src/checkpoint/agentCheckpointStorage.ts'
import { toCheckpointError } from '../../src/checkpoint/toCheckpointError.ts'
import { createInitialSession } from '../agentState/createInitialSession.ts'
import { apart } from '../batch/apart.ts'
import { noCommands } from '../commandStates/createCommandStatesReducer.ts'
import type { Runner } from '../runtime/runner.ts'
import type { StoreContext } from '../runtime/storeContext.ts'
import type { CheckpointReporter } from './createCheckpointReporter.ts'
import type { SessionGates } from './createSessionGates.ts'
import type { OpenSession } from './openSession.ts'
import { warnOfOther } from './warnOfOther.ts'
import { within } from './within.ts'

/** How a session is removed. */
export interface RemoveSessionOptions {
  sessionId: string
  /** Whether what was put in quarantine is deleted as well, as at logout. */
  forget?: boolean | undefined
  /**
   * Where a session that is not open is kept; the runtime's storage by default, as nothing else is known of it here. One
   * that is open is removed from where it is kept.
   */
  checkpointStorage?: AgentCheckpointStorage | undefined
}

/** Starts sessions clean. */
export interface SessionRemoval {
  /**
   * Removes a session from its storage and from memory, once `prepare` is done; rejects where the storage fails, and
   * nothing has changed then. Of several removals of one session each comes after the one before. `isRepeat` where
   * another tab told of it.
   */
  remove(
    options: RemoveSessionOptions,
    how: { prepare?: () => Promise<void> | undefined; isRepeat?: boolean; at?: number | undefined },
  ): Promise<void>
  /**
   * Forgets all that a session has here, but what waits for a removal that is still to come; `isLate` where it is long
   * done, and this page slept, so that whatever waits is the clean session's.
   */
  clear(sessionId: string, how: RemovalTime): void
}

interface RemovalTime {
  /** When the session was removed, by whom first did: one that is told later is not another removal. */
  at?: number | undefined
  isLate?: boolean
}

type Standing = Pick<OpenSession, 'phase' | 'loading'>

export function createSessionRemoval(options: {
  context: Pick<StoreContext, 'actions' | 'environment' | 'present' | 'tabs'>
  sessions: ReadonlyMap<string, OpenSession>
  gates: SessionGates
  storage: AgentCheckpointStorage | undefined
  /** How long the storage may take, in milliseconds. */
  patience: number
  reporter: CheckpointReporter
  getRunner: () => Runner
  abortCommands: (of: { sessionId: string }) => void
  /** Goes on reading a session that was being read. */
  read: (session: OpenSession) => Promise<void>
}): SessionRemoval {
  const { context, sessions, gates, patience, reporter, getRunner, abortCommands, read } = options
  const { actions, environment, present } = context

  function clear(sessionId: string, { at = environment.now(), isLate = false }: RemovalTime) {
    // A request that was made after the removal is the clean session's first.
    getRunner().abort({ sessionId, isLocal: true, isKept: (wait) => isLate || gates.has(sessionId, wait) })
    abortCommands({ sessionId })
    getRunner().forget(sessionId)
    const clean = actions.sessionRestored({
      sessionId,
      session: createInitialSession(),
      commands: noCommands,
      connections: [],
      latestRunId: undefined,
    })
    apart(() => present.apply(clean))
    reporter.settle(sessionId)
    const session = sessions.get(sessionId)
    if (!session) return
    session.startTimes.clear()
    session.removedAt = at
    session.isStored = false
  }

  async function erase(storage: AgentCheckpointStorage, { sessionId, forget }: RemoveSessionOptions): Promise<void> {
    const work = async () => void (await (forget && storage.forget ? storage.forget(sessionId) : storage.remove(sessionId)))
    const erased = work().then(() => true)
    if (await within(erased, { environment, time: patience })) return
    // Where it comes after all, it deletes what was written meanwhile as well.
    erased.then(() => rewrite(sessionId), () => undefined)
    const message = 'The storage did not answer in time, so that the session is not removed. Try again.'
    throw new AgentCheckpointError('save_failed', { message })
  }

  function rewrite(sessionId: string) {
    const session = sessions.get(sessionId)
    if (session?.phase === 'ready') session.writer.schedule()
  }

  async function removeNow(asked: RemoveSessionOptions, { isRepeat, at }: RemovalTime & { isRepeat: boolean }): Promise<void> {
    const { sessionId } = asked
    const session = sessions.get(sessionId)
    const storage = session?.storage ?? asked.checkpointStorage ?? options.storage
    const before: Standing | undefined = session && { phase: session.phase, loading: session.loading }
    if (session) {
      warnOfOther(session, asked.checkpointStorage)
      session.phase = 'blocked'
      session.loading = undefined
    }
    try {
      if (session) await session.writer.remove(() => erase(session.storage, asked))
      else if (storage) await erase(storage, asked)
    } catch (cause) {
      const error = toCheckpointError(cause, 'save_failed')
      reporter.report(sessionId, error)
      if (session) keep(session, before!)
      throw error
    }
    const removedAt = at ?? environment.now()
    clear(sessionId, { at: removedAt })
    if (session) release(session)
    context.tabs.tellRemoved(sessionId, { at: removedAt, isRepeat })
  }

  /** Goes on with a session that is clean. */
  function release(session: OpenSession): void {
    // Another tab may have taken it meanwhile, which is told.
    if (session.phase === 'following' || session.phase === 'closing') return
    session.phase = 'ready'
    session.loading = undefined
    session.opening = Promise.resolve()
    session.released.resolve()
  }

  /** Goes on with a session whose removal failed as if nothing had been asked. */
  function keep(session: OpenSession, { phase, loading }: Standing): void {
    // Another tab has taken it meanwhile, or it is being read anew.
    if (session.phase !== 'blocked' || session.loading) return
    if (phase === 'ready') {
      session.phase = phase
      // What changed meanwhile was not noted.
      session.writer.schedule()
    } else if (loading) {
      session.phase = phase
      session.loading = loading
      const reading = read(session).finally(() => session.tab?.answer())
      reading.catch(() => undefined)
    }
  }

  return {
    clear,
    remove: (options, { prepare, isRepeat = false, at }) =>
      gates.enter(options.sessionId, async () => {
        await prepare?.()
        await removeNow(options, { isRepeat, at })
      }),
  }
}
