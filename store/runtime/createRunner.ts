import type { AnyAgentProvider } from '../../src/provider/agentProvider.ts'
import { getOwn } from '../../src/state/ownRecord.ts'
import { AgentRuntimeError } from '../agentRuntimeError.ts'
import { describeError } from '../../src/provider/describeError.ts'
import { apart } from '../batch/apart.ts'
import { flushApart } from '../batch/flushApart.ts'
import { ownEvent } from '../batch/ownEvent.ts'
import { createReconnectPlan, type AgentReconnectOptions } from '../connection/agentReconnectOptions.ts'
import type { AgentConnectionState } from '../connection/agentRunConnection.ts'
import { getRunOutlook } from '../connection/getRunOutlook.ts'
import type { AdoptedWire } from './adoptedWire.ts'
import { assertPresent } from './assertPresent.ts'
import { assertRestored } from './assertRestored.ts'
import { createConnector } from './createConnector.ts'
import { createDeferred, type Deferred } from './deferred.ts'
import { createFollowingProvider } from './createFollowingProvider.ts'
import { createRunTransfer, type RunTransfer } from './createRunTransfer.ts'
import { findRun } from './findRun.ts'
import { createLiveRun, type LiveRun, type LiveRunOptions } from './liveRun.ts'
import { registerProvider } from './registerProvider.ts'
import type { StoreContext } from './storeContext.ts'

/** What a run is started with. */
export interface StartRunOptions {
  sessionId: string
  /** The provider, or the id of one that is known. */
  provider: AnyAgentProvider | string
  input: unknown
  /** The run's id, where the app mints it, so that asking twice is one run; one that is known here is not started again. */
  runId?: string | undefined
  /** How this run's wire is taken up again; the runtime's way by default. */
  reconnect?: false | AgentReconnectOptions | undefined
}

/** A run that was started elsewhere: in a page before this one, in another tab. */
export interface RestoredRun {
  runId: string
  sessionId: string
  /** The provider need not be known yet. */
  providerId: string
  /** What the run was started with, so that its request can be made anew; absent where that is not known. */
  input?: { value: unknown } | undefined
  cursor?: string | undefined
  detached?: boolean | undefined
  /** Where its connection stands before anything is done about it; `idle` by default. */
  state?: AgentConnectionState | undefined
  /** Whether it is the session's latest run. */
  isLatest: boolean
  /** How its wire is taken up again; the runtime's way by default. */
  reconnect?: false | AgentReconnectOptions | undefined
}

/** What reads a run's wire, until nothing more comes of it. */
export interface RunReading {
  runId: string
  finished: Promise<{ runId: string }>
}

/** Starts, drives and lets go of the runs of one store. */
export interface Runner extends RunTransfer {
  start(options: StartRunOptions): RunReading
  /** Drives a requested or resumed run; started by the listener, hence by live dispatches alone. */
  drive(runId: string): Promise<void>
  /**
   * Takes a run up again by hand: one that is lost, detached, or restored. One whose next attempt is waited for is
   * tried at once.
   *
   * @throws AgentRuntimeError (`time_travel`, `restoring`, `missing_run`, `run_ended`, `not_resumable`)
   */
  resume(target: { runId: string; sessionId?: string | undefined }): RunReading
  /** Follows a dense run again whose wire is closed, once a command of it was answered (design, section 6). */
  follow(runId: string): void
  /**
   * Reads a run that somebody else drives (design, section 9): without commands, and without taking it up.
   *
   * @throws AgentRuntimeError (`time_travel`, `unknown_provider`, `invalid_provider`, `not_followable`)
   */
  watch(run: { runId: string; sessionId: string; provider: AnyAgentProvider | string }): RunReading
  /** Whether a run's wire is being read here, or waits for its next attempt. */
  isReading(runId: string): boolean
  /** Makes a restored run known; nothing is sent. */
  restore(run: RestoredRun): void
  /** Forgets a session's runs. */
  forget(sessionId: string): void
  /** What a run was started with, where that is known. */
  inputOf(runId: string): { value: unknown } | undefined
  /**
   * Takes a wire that is open already for the run's main wire, such as the rest of a command's answer
   * (design, section 6); resolves when that wire has ended.
   */
  adopt(live: LiveRun, wire: AdoptedWire): Promise<void>
  /**
   * Lets go of runs; `isLocal` where the tab that reads them is not to hear of it. Of requests that wait, those stay
   * whose wait `isKept` says so of.
   */
  abort(options: {
    sessionId?: string | undefined
    runId?: string | undefined
    isLocal?: boolean
    isKept?: (wait: Promise<void>) => boolean
  }): void
  /** Closes every wire, as a page does that goes: nobody let go of the runs. What waited for a wire is over. */
  close(): void
  /** What the runtime holds of a run, also of one that it did not start. */
  liveRunOf(runId: string): LiveRun | undefined
}

export function createRunner(context: StoreContext): Runner {
  const { actions, batcher, environment, liveRuns, present } = context
  const connector = createConnector(context)
  const waiting = new Map<string, Deferred<{ runId: string }>>()
  /** What is known of restored runs, until their provider is. */
  const restored = new Map<string, Pick<RestoredRun, 'input' | 'reconnect'>>()
  /** Requests that wait for their session, as while it is restored, by run. */
  const held = new Map<string, { sessionId: string; reading: Deferred<{ runId: string }>; wait: Promise<void> }>()

  const outlookOf = (runId: string) => getRunOutlook(present.get().agentState, runId)
  const connectionOf = (runId: string) => getOwn(present.get().connection.runs, runId)
  const isActive = (live: LiveRun) => live.isStreaming && !live.controller.signal.aborted
  /** Whether another tab owns a run's session, and with it the run's wire. */
  function isElsewhere(runId: string): boolean {
    const connection = connectionOf(runId)
    return connection !== undefined && !connection.isFollowed && context.tabs.isFollowing(connection.sessionId)
  }

  function create(options: {
    runId: string
    sessionId: string
    provider: AnyAgentProvider
    input?: { value: unknown } | undefined
    reconnect?: false | AgentReconnectOptions | undefined
    handOn?: LiveRunOptions['handOn']
  }): LiveRun {
    const { runId, sessionId, handOn = context.tabs.handOn } = options
    const known = findRun(present.get().agentState, runId)?.state.lastSequenceByRun[runId]
    const live = createLiveRun({
      ...options,
      reconnect: createReconnectPlan(options.reconnect ?? context.reconnect),
      lastSequence: known ?? -1,
      apply: (event) => batcher.push(sessionId, ownEvent(event)),
      applyCursor: (cursor) => batcher.moveCursor(sessionId, { runId, cursor }),
      handOn,
    })
    liveRuns.set(runId, live)
    return live
  }

  function liveRunOf(runId: string): LiveRun | undefined {
    const live = liveRuns.get(runId)
    if (live) return live
    const connection = connectionOf(runId)
    const provider = connection && context.providers.get(connection.providerId)
    if (!provider) return undefined
    const { sessionId } = connection
    if (connection.isFollowed) return createFollowed({ runId, sessionId, provider })
    const known = restored.get(runId)
    restored.delete(runId)
    return create({ runId, sessionId, provider, ...known })
  }

  function createFollowed(run: { runId: string; sessionId: string; provider: AnyAgentProvider }): LiveRun {
    const { runId } = run
    const after = findRun(present.get().agentState, runId)?.state.lastSequenceByRun[runId] ?? 0
    // Its request needs no input.
    const provider = createFollowingProvider(run.provider, { ...run, after })
    return create({ ...run, provider, input: { value: undefined }, handOn: () => undefined })
  }

  /** Announces a reading; the listener then drives it. */
  function announce(live: LiveRun, action: Parameters<typeof present.apply>[0]): RunReading {
    const { runId } = live
    const reading = createDeferred<{ runId: string }>()
    live.finished = reading.promise
    waiting.set(runId, reading)
    try {
      present.apply(action)
    } catch (error) {
      // A part of the app threw before the listener was told: nothing is read, which may be asked for again.
      if (waiting.delete(runId)) {
        const { code, message } = describeError(error)
        apart(() => connector.move(runId, 'broken', { error: { code, message }, canResume: connector.canResume(live) }))
      }
      throw error
    }
    return { runId, finished: reading.promise }
  }

  const resumeNow = (live: LiveRun) =>
    announce(live, actions.runResumed({ runId: live.runId, at: environment.now() }))

  /** Waits until a reload would find a requested run, and says whether it is still wanted then. */
  function secure(live: LiveRun): Promise<boolean> | undefined {
    const saving = connectionOf(live.runId)?.state === 'connecting' && context.checkpoints.secure(live.sessionId)
    if (!saving) return undefined
    const { controller } = live
    live.isStreaming = true
    return saving.then(() => {
      if (!controller.signal.aborted) return true
      if (live.controller === controller) live.isStreaming = false
      return false
    })
  }

  function letGo(live: LiveRun) {
    live.controller.abort()
    const detached = outlookOf(live.runId) !== 'ended'
    const change = {
      detached,
      attempt: undefined,
      maxAttempts: undefined,
      isOffline: undefined,
      isQueued: undefined,
      canResume: detached ? connector.canResume(live) : undefined,
    }
    apart(() => connector.move(live.runId, 'closed', change))
  }

  function resume(target: { runId: string; sessionId?: string | undefined }): RunReading {
    const { runId, sessionId } = target
    assertPresent(present)
    batcher.flush()
    assertRestored(present.get(), { runId, sessionId })
    if (outlookOf(runId) === 'ended') throw new AgentRuntimeError('run_ended', `Run "${runId}" has ended.`)
    const live = liveRunOf(runId)
    if (!live || (sessionId ?? live.sessionId) !== live.sessionId) {
      const advice = 'Add it to createAgentRuntime({ providers }).'
      throw new AgentRuntimeError('missing_run', `Run "${runId}", or its provider, is not known here. ${advice}`)
    }
    if (isActive(live) && live.finished) {
      live.hurry?.()
      return { runId, finished: live.finished }
    }
    const owned = isElsewhere(runId) ? context.tabs.own(live.sessionId) : undefined
    if (owned) return { runId, finished: owned.then(() => resume(target).finished) }
    if (!connector.canResume(live)) {
      const reason = 'its provider cannot, or nothing says where it stands. Start another run.'
      throw new AgentRuntimeError('not_resumable', `Run "${runId}" cannot be taken up again: ${reason}`)
    }
    return resumeNow(live)
  }

  const transfer = createRunTransfer(context, {
    connector,
    isActive,
    liveRunOf,
    // Nobody waits for this reading by itself: what becomes of it stands in the connection.
    resume: (live) => void resumeNow(live).finished.catch(() => undefined),
    keepInput: (runId, input) => void (input ? restored.set(runId, { ...restored.get(runId), input }) : restored.delete(runId)),
  })

  return {
    ...transfer,
    liveRunOf,

    start({ sessionId, provider, input, reconnect, runId = environment.createId() }) {
      assertPresent(present)
      const known = registerProvider(context, provider)
      const begun = held.get(runId)?.reading.promise ?? liveRuns.get(runId)?.finished
      if (begun) return { runId, finished: begun }
      if (connectionOf(runId) ?? findRun(present.get().agentState, runId)) {
        return { runId, finished: Promise.resolve({ runId }) }
      }
      function begin() {
        const live = create({ runId, sessionId, provider: known, input: { value: input }, reconnect })
        return announce(live, actions.runRequested({ sessionId, runId, providerId: known.id, at: environment.now() }))
      }
      // A run begins in the tab that owns its session, which is then this one.
      const hold = () => context.checkpoints.hold(sessionId) ?? context.tabs.own(sessionId)
      const first = hold()
      if (!first) return begin()
      const reading = createDeferred<{ runId: string }>()
      held.set(runId, { sessionId, reading, wait: first })
      async function beginLate() {
        for (let wait: Promise<void> | undefined = first; wait; wait = hold()) {
          await wait
          // Given up meanwhile.
          if (!held.has(runId)) return
        }
        held.delete(runId)
        assertPresent(present)
        begin().finished.then(reading.resolve, reading.reject)
      }
      beginLate().catch((error: unknown) => {
        held.delete(runId)
        reading.reject(error)
      })
      return { runId, finished: reading.promise }
    },

    watch({ runId, sessionId, provider }) {
      assertPresent(present)
      const known = registerProvider(context, provider)
      const live = createFollowed({ runId, sessionId, provider: known })
      return announce(live, actions.runFollowed({ sessionId, runId, providerId: known.id, at: environment.now() }))
    },

    isReading(runId) {
      const live = liveRuns.get(runId)
      return live !== undefined && (isActive(live) || waiting.has(runId))
    },

    async drive(runId) {
      const live = liveRuns.get(runId)
      const reading = waiting.get(runId)
      // An action that this runtime did not make, such as a dispatched copy, starts nothing.
      if (!live || !reading) return
      waiting.delete(runId)
      const saving = secure(live)
      if (saving && !(await saving)) return reading.resolve({ runId })
      await connector.connect(live).then(() => reading.resolve({ runId }), reading.reject)
    },

    resume,

    follow(runId) {
      const live = liveRuns.get(runId)
      const connection = connectionOf(runId)
      if (!live || !connection || outlookOf(runId) === 'ended') return
      if (isElsewhere(runId)) return context.tabs.say(live.sessionId, { kind: 'answered', runId })
      if (isActive(live)) {
        live.answeredAt = live.sequencer.getLast()
        return live.hurry?.()
      }
      const isDense = live.provider.capabilities.sequence === 'dense'
      const isLost = connection.detached || connection.canResume === false
      if (!isDense || isLost || !connector.canResume(live)) return
      // Nobody waits for this reading by itself: what becomes of it stands in the connection.
      resumeNow(live).finished.catch(() => undefined)
    },

    restore({ runId, sessionId, providerId, cursor, detached = false, state = 'idle', isLatest, ...known }) {
      const running = liveRuns.get(runId)
      // What is being read is newer than anything that was stored.
      if (running && isActive(running)) return
      liveRuns.delete(runId)
      restored.set(runId, known)
      const connection = { runId, sessionId, providerId, state, detached, cursor, updatedAt: environment.now() }
      present.apply(actions.runRestored({ connection, isLatest }))
      const live = liveRunOf(runId)
      if (!live) return
      const canResume = connector.canResume(live)
      present.apply(actions.connectionChanged({ runId, at: environment.now(), canResume }))
    },

    forget(sessionId) {
      for (const live of [...liveRuns.values()]) if (live.sessionId === sessionId) liveRuns.delete(live.runId)
      for (const runId of [...restored.keys()]) if (connectionOf(runId)?.sessionId === sessionId) restored.delete(runId)
    },

    inputOf(runId) {
      const live = liveRuns.get(runId)
      return live?.hasInput ? { value: live.input } : restored.get(runId)?.input
    },

    async adopt(live, wire) {
      connector.move(live.runId, 'wire_adopted', { detached: false, error: undefined, canResume: undefined })
      // Nobody waits for this wire by itself: what became of it stands in the connection.
      await connector.connect(live, wire).catch(() => undefined)
    },

    close() {
      for (const [runId, { reading }] of held) reading.resolve({ runId })
      held.clear()
      for (const live of liveRuns.values()) live.controller.abort()
    },

    abort({ sessionId, runId, isLocal = false, isKept }) {
      flushApart(batcher)
      for (const [heldId, { sessionId: home, reading, wait }] of [...held]) {
        if (isKept?.(wait)) continue
        if (runId === undefined ? home !== sessionId : heldId !== runId) continue
        held.delete(heldId)
        reading.resolve({ runId: heldId })
      }
      for (const live of [...liveRuns.values()]) {
        const isMeant = runId === undefined ? live.sessionId === sessionId : live.runId === runId
        if (isMeant && !isElsewhere(live.runId) && !live.controller.signal.aborted) letGo(live)
      }
      // What another tab reads it lets go of itself, and its state comes from there.
      const home = sessionId ?? (runId === undefined ? undefined : connectionOf(runId)?.sessionId)
      const isTold = home !== undefined && !isLocal && context.tabs.isFollowing(home)
      if (isTold) context.tabs.say(home, { kind: 'abort', runId })
    },
  }
}
