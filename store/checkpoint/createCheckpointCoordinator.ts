import type { UnknownAction } from '@reduxjs/toolkit'
import type { AgentCheckpoint } from '../../src/checkpoint/agentCheckpoint.ts'
import { AgentCheckpointError } from '../../src/checkpoint/agentCheckpointError.ts'
import type { AgentCheckpointStorage } from '../../src/checkpoint/agentCheckpointStorage.ts'
import type { AnyAgentProvider } from '../../src/provider/agentProvider.ts'
import { isJsonValue } from '../../src/protocol/isJsonValue.ts'
import { getOwn } from '../../src/state/ownRecord.ts'
import type { AgentEnvironment } from '../batch/agentEnvironment.ts'
import { flushApart } from '../batch/flushApart.ts'
import { createReconnectPlan, type AgentReconnectOptions } from '../connection/agentReconnectOptions.ts'
import { getRunOutlook } from '../connection/getRunOutlook.ts'
import type { AgentSlice } from '../runtime/agentSlice.ts'
import { assertPresent } from '../runtime/assertPresent.ts'
import type { Runner } from '../runtime/runner.ts'
import { createDeferred } from '../runtime/deferred.ts'
import { registerProvider } from '../runtime/registerProvider.ts'
import type { StoreContext } from '../runtime/storeContext.ts'
import { createTabTeller } from '../tabs/createTabTeller.ts'
import type { TabRunSources } from '../tabs/toTabRun.ts'
import { createCheckpointBuilder } from './createCheckpointBuilder.ts'
import { createCheckpointReporter } from './createCheckpointReporter.ts'
import { createCheckpointWriter } from './createCheckpointWriter.ts'
import { createEnding } from './createEnding.ts'
import { createSessionClosing } from './createSessionClosing.ts'
import { createSessionGates } from './createSessionGates.ts'
import { createSessionReader } from './createSessionReader.ts'
import { createSessionRemoval, type RemoveSessionOptions } from './createSessionRemoval.ts'
import { createStartTimes } from './createStartTimes.ts'
import { isUrgentChange } from './isUrgentChange.ts'
import type { OpenSession } from './openSession.ts'
import { shareSession } from './shareSession.ts'
import { warnOfOther } from './warnOfOther.ts'
import { within } from './within.ts'

/** How a session is opened. */
export interface OpenSessionOptions {
  sessionId: string
  /** Where the session is kept; the runtime's storage by default. The first one that a session is opened with holds. */
  checkpointStorage?: AgentCheckpointStorage | undefined
  /** The provider of the session's runs, where the runtime does not know it yet. */
  provider?: AnyAgentProvider | string | undefined
  /** How the wires of restored runs are taken up again; the runtime's way by default. */
  reconnect?: false | AgentReconnectOptions | undefined
}

/** How a store's sessions are kept. */
export interface CheckpointOptions {
  storage?: AgentCheckpointStorage | undefined
  /** In milliseconds. */
  restoreTimeout: number
  /** In milliseconds. */
  saveInterval: number
  onError?: ((error: AgentCheckpointError, about: { sessionId: string }) => void) | undefined
}

/** Says when a store's sessions are saved, and how they are restored (RFC, section 12). */
export interface CheckpointCoordinator {
  /** Restores a session, once; without a storage nothing happens. Rejects with why it could not be restored. */
  open(options: OpenSessionOptions): Promise<void>
  /** Starts a session clean, in storage and in memory. */
  remove(options: RemoveSessionOptions): Promise<void>
  /** Lets go of a session here, once it is saved; rejects where it could not be, and nothing has changed then. */
  leave(of: { sessionId: string }): Promise<void>
  /** What a request of the session waits for: its removal, its restore. */
  hold(sessionId: string): Promise<void> | undefined
  /** What a run's first request waits for: that a reload would find it. */
  secure(sessionId: string): Promise<void> | undefined
  /**
   * Ends it: what waits for a storage rejects with this reason. Resolves once all that is to be saved or removed is, or
   * a second later where a storage hangs.
   */
  close(reason: Error, timers: Pick<AgentEnvironment, 'setTimer'>): Promise<void>
  /** Takes note of a change that the present has taken. */
  note(action: UnknownAction): void
}

// How long a request, a removal, or the runtime's end waits for a write, in milliseconds: a storage that hangs must not keep it.
const savePatience = 1000

export function createCheckpointCoordinator(
  context: Omit<StoreContext, 'checkpoints'>,
  options: CheckpointOptions & { getRunner: () => Runner; abortCommands: (of: { sessionId: string }) => void },
): CheckpointCoordinator {
  const { actions, batcher, environment, present } = context
  const { restoreTimeout, saveInterval, onError, getRunner, abortCommands } = options
  const sessions = new Map<string, OpenSession>()
  const buildCheckpoint = createCheckpointBuilder()
  const [openings, removals] = [createEnding(), createEnding()]
  let isWatching = false

  const reporter = createCheckpointReporter(context, onError)
  const reader = createSessionReader({
    context,
    patience: restoreTimeout,
    reporter,
    getRunner,
    onGone: (sessionId) => removal.clear(sessionId, { isLate: true }),
  })
  const gates = createSessionGates()
  const removal = createSessionRemoval({
    context,
    sessions,
    gates,
    storage: options.storage,
    patience: restoreTimeout,
    reporter,
    getRunner,
    abortCommands,
    read: reader.read,
  })

  const closeNow = createSessionClosing({
    context,
    sessions,
    gates,
    patience: savePatience,
    reporter,
    getRunner,
    abortCommands,
  })

  const sourcesOf = (session: OpenSession): TabRunSources => ({
    inputOf: (runId) => getRunner().inputOf(runId),
    startedAt: session.startTimes.of,
  })

  const tell = createTabTeller({
    actions,
    present,
    find(sessionId) {
      const session = sessions.get(sessionId)
      return session?.tab && { tab: session.tab, sources: sourcesOf(session) }
    },
  })

  /** The session as it is now; nothing where it may not be written, or an input cannot be (RFC, section 12.1). */
  function build(session: OpenSession): AgentCheckpoint | undefined {
    if (session.phase !== 'ready' && session.phase !== 'closing') return undefined
    const { sessionId } = session
    const checkpoint = buildCheckpoint(present.get(), {
      sessionId,
      inputOf: getRunner().inputOf,
      readTo: getRunner().readTo,
      startedAt: session.startTimes.of,
      savedAt: environment.now(),
    })
    if (isJsonValue(checkpoint.inputByRun)) return checkpoint
    const message =
      'The input of a run is not JSON, so that the session is not saved while that run is open: a reload would lose ' +
      'it. Give runs plain data.'
    reporter.report(sessionId, new AgentCheckpointError('not_serializable', { message }))
    return undefined
  }

  function create({ sessionId, provider }: OpenSessionOptions, storage: AgentCheckpointStorage): OpenSession {
    const session: OpenSession = {
      sessionId,
      storage,
      writer: createCheckpointWriter({
        sessionId,
        storage,
        environment,
        interval: saveInterval,
        patience: savePatience,
        build: () => build(session),
        onSettled(error) {
          if (!error) session.isStored = true
          reporter.noteSaved(sessionId, error)
        },
      }),
      phase: 'restoring',
      tab: undefined,
      opening: Promise.resolve(),
      loading: undefined,
      released: createDeferred(),
      startTimes: createStartTimes(environment.now),
      openedAt: environment.now(),
      removedAt: undefined,
      isStored: false,
      providerId: (typeof provider === 'object' ? provider.id : provider) ?? 'unknown',
      reconnect: undefined,
    }
    sessions.set(sessionId, session)
    if (!isWatching) environment.onHide(saveAll)
    isWatching = true
    return session
  }

  function saveAll() {
    flushApart(batcher)
    for (const { writer } of sessions.values()) writer.flush()
  }

  function share(session: OpenSession): Promise<void> | undefined {
    const { sessionId } = session
    return shareSession({
      context,
      session,
      getRunner,
      sources: sourcesOf(session),
      say: (said) => reporter.say(sessionId, said),
      said: () => reporter.said(sessionId) ?? {},
      restore: () => reader.restore(session),
      read: () => reader.read(session),
      takeOver: () => reader.takeOver(sessionId),
      remove: ({ at }) => removal.remove({ sessionId }, { isRepeat: true, at }),
      clear: (how) => removal.clear(sessionId, how),
    })
  }

  /** The session of a change that is saved; what only shows how a wire is doing is not. */
  function sessionOf(action: UnknownAction): OpenSession | undefined {
    const { eventsReceived, runReleased, connectionChanged, runResumed, commandSubmitted, commandSucceeded, commandFailed } = actions
    if (eventsReceived.match(action) || runReleased.match(action)) return sessions.get(action.payload.sessionId)
    if (commandSubmitted.match(action) || commandSucceeded.match(action) || commandFailed.match(action)) {
      return sessions.get(action.payload.command.sessionId)
    }
    if (actions.commandReported.match(action)) return sessions.get(action.payload.state.command.sessionId)
    if (runResumed.match(action) || connectionChanged.match(action)) {
      const { payload } = action
      // That a stream has ended and the run is parked tells a reload that there is nothing to take up.
      const isParked = ({ agentState }: AgentSlice) => getRunOutlook(agentState, payload.runId) === 'parked'
      const isKept =
        !('state' in payload) ||
        payload.state === 'failed' ||
        'detached' in payload ||
        (payload.state === 'idle' && isParked(present.get()))
      const home = getOwn(present.get().connection.runs, payload.runId)?.sessionId
      return isKept && home !== undefined ? sessions.get(home) : undefined
    }
    return undefined
  }

  async function open(asked: OpenSessionOptions): Promise<void> {
    const { sessionId, checkpointStorage, provider, reconnect } = asked
    createReconnectPlan(reconnect)
    if (typeof provider === 'object') registerProvider(context as StoreContext, provider)
    for (let gate = gates.hold(sessionId); gate; gate = gates.hold(sessionId)) await gate
    const known = sessions.get(sessionId)
    if (known) {
      warnOfOther(known, checkpointStorage)
      if (known.phase !== 'blocked' || known.loading) return known.opening
    }
    const storage = known?.storage ?? checkpointStorage ?? options.storage
    if (!storage) return
    assertPresent(present)
    const session = known ?? create(asked, storage)
    session.reconnect ??= reconnect
    session.opening = (known ? undefined : share(session)) ?? reader.restore(session)
    return session.opening
  }

  /** Writes for the last time; a storage that hangs keeps nobody. */
  async function finish({ sessionId, writer }: OpenSession, timers: Pick<AgentEnvironment, 'setTimer'>): Promise<void> {
    const work = writer.finish().then(() => true)
    if (await within(work, { environment: timers, time: savePatience })) return
    const message =
      'The storage did not answer in time while the runtime was destroyed, so that it is not known whether the session ' +
      'is saved.'
    reporter.report(sessionId, new AgentCheckpointError('save_failed', { message }))
  }

  return {
    open: (asked) => openings.untilEnd(open(asked)),

    async remove(asked) {
      assertPresent(present)
      // The storage is its owner's to write.
      const prepare = () => sessions.get(asked.sessionId)?.tab?.own({ force: true })
      await removals.untilEnd(removal.remove(asked, { prepare }))
    },

    async leave({ sessionId }) {
      assertPresent(present)
      await removals.untilEnd(gates.enter(sessionId, () => closeNow(sessionId)))
    },

    hold(sessionId) {
      const gate = gates.hold(sessionId)
      if (gate) return gate
      const session = sessions.get(sessionId)
      return session?.phase === 'restoring' ? session.released.promise : undefined
    },

    secure(sessionId) {
      const session = sessions.get(sessionId)
      if (session?.phase !== 'ready') return undefined
      const saving = within(session.writer.write(), { environment, time: savePatience })
      // A write never rejects: it is the end that does, and then the request is not wanted any more.
      return openings.untilEnd(saving).catch(() => undefined)
    },

    async close(reason, timers) {
      openings.end(reason)
      reader.close()
      const removed = within(gates.finish(), { environment: timers, time: savePatience })
      await Promise.all([...[...sessions.values()].map((session) => finish(session, timers)), removed])
      removals.end(reason)
    },

    note(action) {
      if (sessions.size === 0) return
      tell(action)
      if (actions.runRequested.match(action)) {
        sessions.get(action.payload.sessionId)?.startTimes.of(action.payload.runId)
        return
      }
      const session = sessionOf(action)
      if (!session) return
      if (actions.runReleased.match(action)) session.startTimes.delete(action.payload.runId)
      if (session.phase !== 'ready') return
      if (isUrgentChange(actions, action)) void session.writer.write()
      else session.writer.schedule()
    },
  }
}
