import type { UnknownAction } from '@reduxjs/toolkit'
import type { AgentCheckpoint } from '../../src/checkpoint/agentCheckpoint.ts'
import { AgentCheckpointError } from '../../src/checkpoint/agentCheckpointError.ts'
import type { AgentCheckpointStorage } from '../../src/checkpoint/agentCheckpointStorage.ts'
import { toCheckpointError } from '../../src/checkpoint/toCheckpointError.ts'
import type { AnyAgentProvider } from '../../src/provider/agentProvider.ts'
import { isJsonValue } from '../../src/protocol/isJsonValue.ts'
import { getOwn } from '../../src/state/ownRecord.ts'
import { createInitialSession } from '../agentState/createInitialSession.ts'
import { noCommands } from '../commandStates/createCommandStatesReducer.ts'
import { createReconnectPlan, type AgentReconnectOptions } from '../connection/agentReconnectOptions.ts'
import type { AgentSessionCheckpoint } from '../connection/agentSessionCheckpoint.ts'
import { isWireWanted } from '../connection/isWireWanted.ts'
import { assertPresent } from '../runtime/assertPresent.ts'
import type { Runner } from '../runtime/createRunner.ts'
import { createDeferred } from '../runtime/deferred.ts'
import { registerProvider } from '../runtime/registerProvider.ts'
import type { StoreContext } from '../runtime/storeContext.ts'
import { createTabTeller } from '../tabs/createTabTeller.ts'
import type { TabRunSources } from '../tabs/describeChange.ts'
import { createCheckpointBuilder } from './createCheckpointBuilder.ts'
import { createCheckpointWriter } from './createCheckpointWriter.ts'
import { isUrgentChange } from './isUrgentChange.ts'
import { loadCheckpoint, type LoadedCheckpoint } from './loadCheckpoint.ts'
import type { OpenSession } from './openSession.ts'
import { restoreCheckpoint } from './restoreCheckpoint.ts'
import { shareSession } from './shareSession.ts'
import { warnOfOther } from './warnOfOther.ts'

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
  remove(sessionId: string): Promise<void>
  /** What a request of the session waits for: its restore. */
  hold(sessionId: string): Promise<void> | undefined
  /** What a run's first request waits for: that a reload would find it. */
  secure(sessionId: string): Promise<void> | undefined
  /** Takes note of a change that the present has taken. */
  note(action: UnknownAction): void
}

// How long a request, or a removal, waits for a write, in milliseconds: a storage that hangs must not keep it.
const savePatience = 1000

export function createCheckpointCoordinator(
  context: Omit<StoreContext, 'checkpoints'>,
  options: CheckpointOptions & { getRunner: () => Runner; abortCommands: (of: { sessionId: string }) => void },
): CheckpointCoordinator {
  const { actions, batcher, environment, present } = context
  const { restoreTimeout, saveInterval, onError, getRunner } = options
  const sessions = new Map<string, OpenSession>()
  /** What a session goes back to where its removal, the last that was asked for, fails. */
  const removals = new Map<string, Pick<OpenSession, 'phase' | 'loading'>>()
  const buildCheckpoint = createCheckpointBuilder()
  let isWatching = false

  const saidOf = (sessionId: string) => getOwn(present.get().connection.checkpoints ?? {}, sessionId)
  function say(sessionId: string, { restore, error }: AgentSessionCheckpoint) {
    const isFollowing = context.tabs.isFollowing(sessionId) || undefined
    present.apply(actions.checkpointChanged({ sessionId, restore, error, isFollowing }))
  }

  function report(sessionId: string, error: AgentCheckpointError, restore?: 'failed') {
    const { code, message } = error
    const known = saidOf(sessionId)
    if (known?.error?.code === code && known.restore === restore) return
    say(sessionId, { restore: restore ?? known?.restore, error: { code, message } })
    // In a turn of its own: what the app throws there is not the run's affair.
    if (onError) queueMicrotask(() => onError(error, { sessionId }))
  }

  function noteSaved(sessionId: string, error: AgentCheckpointError | undefined) {
    const known = saidOf(sessionId)
    if (error) report(sessionId, error)
    else if (known?.error) say(sessionId, { restore: known.restore })
  }

  const sourcesOf = (session: OpenSession): TabRunSources => ({
    inputOf: (runId) => getRunner().inputOf(runId),
    startedAt: (runId) => startOf(session, runId),
  })

  const tell = createTabTeller({
    actions,
    present,
    find(sessionId) {
      const session = sessions.get(sessionId)
      return session?.tab && { tab: session.tab, sources: sourcesOf(session) }
    },
  })

  function startOf({ startTimes }: OpenSession, runId: string): number {
    const known = startTimes.get(runId)
    if (known !== undefined) return known
    const time = Math.max(environment.now(), ...[...startTimes.values()].map((earlier) => earlier + 1))
    startTimes.set(runId, time)
    return time
  }

  /** The session as it is now; nothing where it may not be written, or an input cannot be (RFC, section 12.1). */
  function build(session: OpenSession): AgentCheckpoint | undefined {
    if (session.phase !== 'ready' && session.phase !== 'closing') return undefined
    const { sessionId, tab } = session
    const checkpoint = buildCheckpoint(present.get(), {
      sessionId,
      inputOf: getRunner().inputOf,
      startedAt: (runId) => startOf(session, runId),
      savedAt: environment.now(),
      others: tab?.openCommands(),
    })
    if (isJsonValue(checkpoint.inputByRun)) return checkpoint
    const message =
      'The input of a run is not JSON, so that the session is not saved while that run is open: a reload would lose ' +
      'it. Give runs plain data.'
    report(sessionId, new AgentCheckpointError('not_serializable', { message }))
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
        build: () => build(session),
        onSettled: (error) => noteSaved(sessionId, error),
      }),
      phase: 'restoring',
      tab: undefined,
      opening: Promise.resolve(),
      loading: undefined,
      released: createDeferred(),
      startTimes: new Map(),
      providerId: (typeof provider === 'object' ? provider.id : provider) ?? 'unknown',
      reconnect: undefined,
    }
    sessions.set(sessionId, session)
    if (!isWatching) environment.onHide(saveAll)
    isWatching = true
    return session
  }

  function saveAll() {
    batcher.flush()
    for (const { writer } of sessions.values()) writer.flush()
  }

  function restore(session: OpenSession): Promise<void> {
    session.phase = 'restoring'
    session.released = createDeferred()
    say(session.sessionId, { restore: 'restoring' })
    return read(session).finally(() => session.tab?.answer())
  }

  async function read(session: OpenSession): Promise<void> {
    const { sessionId, storage } = session
    const load = (session.loading ??= loadCheckpoint(storage, sessionId))
    const timely = await within(load, restoreTimeout)
    // Removed meanwhile: what was read is no longer so.
    if (session.loading !== load) return
    if (timely) return settle(session, timely)
    // It may still come: it is put in place then, beside what has begun meanwhile.
    session.phase = 'blocked'
    const message = 'The storage did not answer in time. Nothing is written over what it may hold.'
    const error = new AgentCheckpointError('load_failed', { message })
    report(sessionId, error, 'failed')
    session.released.resolve()
    void settleLate(session, load)
    throw error
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

  /** Waits for a write, but not for one that hangs. */
  const patiently = (write: Promise<void>) => within(write, savePatience)

  async function within<Value>(work: Promise<Value>, time: number): Promise<Value | undefined> {
    let stopTimer: (() => void) | undefined
    const timeout = new Promise<undefined>((resolve) => {
      stopTimer = environment.setTimer(() => resolve(undefined), time)
    })
    return Promise.race([work, timeout]).finally(() => stopTimer?.())
  }

  function settle(session: OpenSession, { checkpoint, error, ...loaded }: LoadedCheckpoint): void {
    const { sessionId } = session
    session.loading = undefined
    if (error) {
      session.phase = 'isCleared' in loaded && loaded.isCleared ? 'ready' : 'blocked'
      report(sessionId, error, 'failed')
      session.released.resolve()
      throw error
    }
    batcher.flush()
    const hasBegun = Object.hasOwn(present.get().agentState.sessions, sessionId)
    const runner = getRunner()
    for (const [runId, { startedAt }] of Object.entries(checkpoint?.connectionByRun ?? {})) {
      if (startedAt !== undefined && !session.startTimes.has(runId)) session.startTimes.set(runId, startedAt)
    }
    const { runIds, latestRunId } = checkpoint
      ? restoreCheckpoint({ context: context as StoreContext, runner, checkpoint, ...session })
      : { runIds: [], latestRunId: undefined }
    session.phase = 'ready'
    if (saidOf(sessionId)) say(sessionId, {})
    if (hasBegun) session.writer.schedule()
    for (const runId of runIds) runner.takeUp(runId, { isAutomatic: runId === latestRunId })
    takeOver(sessionId)
    session.tab?.renew()
    session.released.resolve()
  }

  /** Goes on with the wires that another tab had open, or this one before another took the session. */
  function takeOver(sessionId: string) {
    for (const connection of Object.values(present.get().connection.runs)) {
      const isOwn = connection.sessionId === sessionId && !connection.isFollowed
      if (isOwn && isWireWanted(connection.state)) getRunner().takeOver(connection.runId)
    }
  }

  function share(session: OpenSession): Promise<void> | undefined {
    const { sessionId } = session
    return shareSession({
      context,
      session,
      getRunner,
      sources: sourcesOf(session),
      say: (said) => say(sessionId, said),
      said: () => saidOf(sessionId) ?? {},
      restore: () => restore(session),
      read: () => read(session),
      takeOver: () => takeOver(sessionId),
      remove: () => removeAll(sessionId),
      clear: () => clear(sessionId),
    })
  }

  /** Forgets all that a session has here. */
  function clear(sessionId: string) {
    getRunner().abort({ sessionId, isLocal: true })
    options.abortCommands({ sessionId })
    getRunner().forget(sessionId)
    present.apply(
      actions.sessionRestored({
        sessionId,
        session: createInitialSession(),
        commands: noCommands,
        connections: [],
        latestRunId: undefined,
      }),
    )
    if (saidOf(sessionId)) say(sessionId, {})
    sessions.get(sessionId)?.startTimes.clear()
  }

  async function removeAll(sessionId: string): Promise<void> {
    const session = sessions.get(sessionId)
    const storage = session?.storage ?? options.storage
    const before = { ...(removals.get(sessionId) ?? session) } as Pick<OpenSession, 'phase' | 'loading'>
    if (session) {
      removals.set(sessionId, before)
      session.phase = 'blocked'
      session.loading = undefined
      await patiently(session.writer.stop())
    }
    try {
      await storage?.remove(sessionId)
    } catch (cause) {
      const error = toCheckpointError(cause, 'save_failed')
      report(sessionId, error)
      if (session && removals.get(sessionId) === before) keep(session, before)
      throw error
    }
    removals.delete(sessionId)
    clear(sessionId)
    context.tabs.tellRemoved(sessionId)
    if (!session) return
    session.phase = 'ready'
    session.released.resolve()
  }

  /** Goes on with a session whose removal failed as if nothing had been asked. */
  function keep(session: OpenSession, { phase, loading }: Pick<OpenSession, 'phase' | 'loading'>): void {
    removals.delete(session.sessionId)
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

  /** The session of a change that is saved; what only shows how a wire is doing is not. */
  function sessionOf(action: UnknownAction): OpenSession | undefined {
    const { eventsReceived, runReleased, connectionChanged, runResumed, commandSubmitted, commandSucceeded, commandFailed } = actions
    if (eventsReceived.match(action) || runReleased.match(action)) return sessions.get(action.payload.sessionId)
    if (commandSubmitted.match(action) || commandSucceeded.match(action) || commandFailed.match(action)) {
      return sessions.get(action.payload.command.sessionId)
    }
    if (runResumed.match(action) || connectionChanged.match(action)) {
      const { payload } = action
      const isKept = !('state' in payload) || payload.state === 'failed' || 'detached' in payload
      const home = getOwn(present.get().connection.runs, payload.runId)?.sessionId
      return isKept && home !== undefined ? sessions.get(home) : undefined
    }
    return undefined
  }

  return {
    async open(asked) {
      const { sessionId, checkpointStorage, provider, reconnect } = asked
      createReconnectPlan(reconnect)
      if (typeof provider === 'object') registerProvider(context as StoreContext, provider)
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
      session.opening = (known ? undefined : share(session)) ?? restore(session)
      return session.opening
    },

    async remove(sessionId) {
      assertPresent(present)
      // The storage is its owner's to write.
      await sessions.get(sessionId)?.tab?.own({ force: true })
      await removeAll(sessionId)
    },

    hold(sessionId) {
      const session = sessions.get(sessionId)
      return session?.phase === 'restoring' ? session.released.promise : undefined
    },

    secure(sessionId) {
      const session = sessions.get(sessionId)
      if (session?.phase !== 'ready') return undefined
      return patiently(session.writer.write())
    },

    note(action) {
      if (sessions.size === 0) return
      tell(action)
      if (actions.runRequested.match(action)) {
        const asked = sessions.get(action.payload.sessionId)
        if (asked) startOf(asked, action.payload.runId)
        return
      }
      const session = sessionOf(action)
      if (session?.phase !== 'ready') return
      if (isUrgentChange(actions, action)) void session.writer.write()
      else session.writer.schedule()
    },
  }
}
