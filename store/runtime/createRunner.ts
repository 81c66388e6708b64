import { describeError } from '../../src/provider/describeError.ts'
import { AgentRuntimeError } from '../agentRuntimeError.ts'
import { apart } from '../batch/apart.ts'
import { flushApart } from '../batch/flushApart.ts'
import { getRunOutlook } from '../connection/getRunOutlook.ts'
import { assertPresent } from './assertPresent.ts'
import { assertRestored } from './assertRestored.ts'
import { assertRunId } from './assertRunId.ts'
import { assertSessionId } from './assertSessionId.ts'
import { createConnector } from './createConnector.ts'
import { createHeldStarts } from './createHeldStarts.ts'
import { createLiveRuns } from './createLiveRuns.ts'
import { createRunTransfer } from './createRunTransfer.ts'
import { createDeferred, type Deferred } from './deferred.ts'
import { findRun } from './findRun.ts'
import type { LiveRun } from './liveRun.ts'
import { registerProvider } from './registerProvider.ts'
import type { Runner, RunReading } from './runner.ts'
import type { StoreContext } from './storeContext.ts'

/** Makes the runner of one store. */
export function createRunner(context: StoreContext): Runner {
  const { actions, batcher, environment, liveRuns, present } = context
  const connector = createConnector(context)
  const runs = createLiveRuns(context)
  const { connectionOf, isActive, isElsewhere } = runs
  const starts = createHeldStarts()
  const waiting = new Map<string, Deferred<{ runId: string }>>()

  const outlookOf = (runId: string) => getRunOutlook(present.get().agentState, runId)

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
    const live = runs.find(runId)
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
    liveRunOf: runs.find,
    // Nobody waits for this reading by itself: what becomes of it stands in the connection.
    resume: (live) => void resumeNow(live).finished.catch(() => undefined),
    keepInput: runs.keepInput,
  })

  return {
    ...transfer,
    liveRunOf: runs.find,
    inputOf: runs.inputOf,
    readTo: runs.readTo,
    forget: runs.forget,

    start({ sessionId, provider, input, reconnect, ...named }) {
      assertSessionId(sessionId)
      const { runId = environment.createId() } = named
      assertRunId(runId)
      assertPresent(present)
      const known = registerProvider(context, provider)
      const begun = starts.get(runId) ?? liveRuns.get(runId)?.finished
      if (begun) return { runId, finished: begun }
      if (connectionOf(runId) ?? findRun(present.get().agentState, runId)) {
        return { runId, finished: Promise.resolve({ runId }) }
      }
      function begin() {
        const live = runs.create({ runId, sessionId, provider: known, input: { value: input }, reconnect })
        return announce(live, actions.runRequested({ sessionId, runId, providerId: known.id, at: environment.now() }))
      }
      // A run begins in the tab that owns its session, which is then this one.
      const waitOn = () => context.checkpoints.hold(sessionId) ?? context.tabs.own(sessionId)
      const wait = waitOn()
      if (!wait) return begin()
      function beginLate() {
        assertPresent(present)
        return begin().finished
      }
      return { runId, finished: starts.hold({ runId, sessionId, wait, waitOn, begin: beginLate }) }
    },

    watch({ runId, sessionId, provider }) {
      assertPresent(present)
      const known = registerProvider(context, provider)
      const live = runs.createFollowed({ runId, sessionId, provider: known })
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
      runs.keepOrigin(runId, known)
      const connection = { runId, sessionId, providerId, state, detached, cursor, updatedAt: environment.now() }
      present.apply(actions.runRestored({ connection, isLatest }))
      const live = runs.find(runId)
      if (!live) return
      const canResume = connector.canResume(live)
      present.apply(actions.connectionChanged({ runId, at: environment.now(), canResume }))
    },

    async adopt(live, wire) {
      connector.move(live.runId, 'wire_adopted', { detached: false, error: undefined, canResume: undefined })
      // Nobody waits for this wire by itself: what became of it stands in the connection.
      await connector.connect(live, wire).catch(() => undefined)
    },

    leave({ sessionId, isKept }) {
      starts.giveUp((start) => start.sessionId === sessionId && !isKept(start.wait))
      for (const live of liveRuns.values()) if (live.sessionId === sessionId) live.controller.abort()
    },

    close() {
      starts.giveUp()
      for (const live of liveRuns.values()) live.controller.abort()
    },

    abort({ sessionId, runId, isLocal = false, isKept }) {
      flushApart(batcher)
      starts.giveUp((start) => {
        const isMeant = runId === undefined ? start.sessionId === sessionId : start.runId === runId
        return isMeant && !isKept?.(start.wait)
      })
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
