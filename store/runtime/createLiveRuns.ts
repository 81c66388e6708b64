import type { AnyAgentProvider } from '../../src/provider/agentProvider.ts'
import { getOwn } from '../../src/state/ownRecord.ts'
import { ownEvent } from '../batch/ownEvent.ts'
import { createReconnectPlan, type AgentReconnectOptions } from '../connection/agentReconnectOptions.ts'
import type { AgentRunConnection } from '../connection/agentRunConnection.ts'
import { createFollowingProvider } from './createFollowingProvider.ts'
import { findRun } from './findRun.ts'
import { createLiveRun, type LiveRun, type LiveRunOptions } from './liveRun.ts'
import type { StoreContext } from './storeContext.ts'

interface Provided {
  runId: string
  sessionId: string
  provider: AnyAgentProvider
}

/** What a run was started with, as far as it is known. */
interface Origin {
  input?: { value: unknown } | undefined
  reconnect?: false | AgentReconnectOptions | undefined
  /** How far it was read, where the state is behind that. */
  readTo?: number | undefined
}

/** The runs that a store's runtime holds, and what it knows of those whose provider it does not know yet. */
export interface LiveRuns {
  create(run: Provided & Origin): LiveRun
  /**
   * Makes one that somebody else drives: it is read and nothing else.
   *
   * @throws AgentRuntimeError (`not_followable`)
   */
  createFollowed(run: Provided): LiveRun
  /** What is held of a run, also of one that was started elsewhere, once its provider is known. */
  find(runId: string): LiveRun | undefined
  /** Notes what a run was started with, until its provider is known. */
  keepOrigin(runId: string, origin: Origin): void
  keepInput(runId: string, input: { value: unknown } | undefined): void
  inputOf(runId: string): { value: unknown } | undefined
  /** How far a run was read, where the state is behind that: what came last was refused. */
  readTo(runId: string): number | undefined
  connectionOf(runId: string): AgentRunConnection | undefined
  /** Whether a run's main wire is being read, or waits for its next attempt. */
  isActive(live: LiveRun): boolean
  /** Whether another tab owns a run's session, and with it the run's wire. */
  isElsewhere(runId: string): boolean
  forget(sessionId: string): void
}

export function createLiveRuns(context: StoreContext): LiveRuns {
  const { batcher, liveRuns, present } = context
  const origins = new Map<string, Origin>()

  const connectionOf = (runId: string) => getOwn(present.get().connection.runs, runId)
  const sequenceOf = (runId: string) => findRun(present.get().agentState, runId)?.state.lastSequenceByRun[runId]

  function make(run: Provided & Origin, handOn: LiveRunOptions['handOn']): LiveRun {
    const { runId, sessionId } = run
    const known = sequenceOf(runId)
    const live = createLiveRun({
      ...run,
      reconnect: createReconnectPlan(run.reconnect ?? context.reconnect),
      lastSequence: Math.max(known ?? -1, run.readTo ?? -1),
      apply: (event) => batcher.push(sessionId, ownEvent(event)),
      applyCursor: (cursor) => batcher.moveCursor(sessionId, { runId, cursor }),
      handOn,
    })
    liveRuns.set(runId, live)
    return live
  }

  function createFollowed(run: Provided): LiveRun {
    const after = sequenceOf(run.runId) ?? 0
    // Its request needs no input, and its events go to no other tab.
    const provider = createFollowingProvider(run.provider, { ...run, after })
    return make({ ...run, provider, input: { value: undefined } }, () => undefined)
  }

  const create = (run: Provided & Origin) => make(run, context.tabs.handOn)

  return {
    create,
    createFollowed,
    connectionOf,

    find(runId) {
      const live = liveRuns.get(runId)
      if (live) return live
      const connection = connectionOf(runId)
      const provider = connection && context.providers.get(connection.providerId)
      if (!provider) return undefined
      const { sessionId } = connection
      if (connection.isFollowed) return createFollowed({ runId, sessionId, provider })
      const origin = origins.get(runId)
      origins.delete(runId)
      return create({ runId, sessionId, provider, ...origin })
    },

    keepOrigin: (runId, origin) => void origins.set(runId, origin),

    keepInput(runId, input) {
      if (input) origins.set(runId, { ...origins.get(runId), input })
      else origins.delete(runId)
    },

    inputOf(runId) {
      const live = liveRuns.get(runId)
      return live?.hasInput ? { value: live.input } : origins.get(runId)?.input
    },

    readTo(runId) {
      const readTo = liveRuns.get(runId)?.readTo ?? origins.get(runId)?.readTo ?? -1
      return readTo > (sequenceOf(runId) ?? -1) ? readTo : undefined
    },

    isActive: (live) => live.isStreaming && !live.controller.signal.aborted,

    isElsewhere(runId) {
      const connection = connectionOf(runId)
      return connection !== undefined && !connection.isFollowed && context.tabs.isFollowing(connection.sessionId)
    },

    forget(sessionId) {
      for (const live of [...liveRuns.values()]) if (live.sessionId === sessionId) liveRuns.delete(live.runId)
      for (const runId of [...origins.keys()]) if (connectionOf(runId)?.sessionId === sessionId) origins.delete(runId)
    },
  }
}
