import type { AnyAgentProvider } from '../../src/provider/agentProvider.ts'
import { runAgentProvider } from '../../src/provider/runAgentProvider.ts'
import { getOwn } from '../../src/state/ownRecord.ts'
import { createBreather } from '../batch/createBreather.ts'
import type { AgentConnectionError, AgentRunConnection } from '../connection/agentRunConnection.ts'
import { getRunOutlook } from '../connection/getRunOutlook.ts'
import { assertPresent } from './assertPresent.ts'
import { describeError } from './describeError.ts'
import { findRun } from './findRun.ts'
import { createLiveRun, type LiveRun } from './liveRun.ts'
import { registerProvider } from './registerProvider.ts'
import type { StoreContext } from './storeContext.ts'

/** What a run is started with. */
export interface StartRunOptions {
  sessionId: string
  /** The provider, or the id of one that is known. */
  provider: AnyAgentProvider | string
  input: unknown
}

/** A wire that is open, as a provider whose stream has begun, and what closes it. */
export interface AdoptedWire {
  readonly provider: AnyAgentProvider
  readonly controller: AbortController
}

/** Starts, drives and lets go of the runs of one store. */
export interface Runner {
  start(options: StartRunOptions): { runId: string; finished: Promise<{ runId: string }> }
  /** Drives a requested run to its end; started by the listener, hence by live dispatches alone. */
  drive(runId: string): Promise<void>
  /**
   * Takes a wire that is open already for the run's main wire, such as the rest of a command's answer
   * (design, section 6); resolves when that wire has ended.
   */
  adopt(live: LiveRun, wire: AdoptedWire): Promise<void>
  abort(options: { sessionId?: string | undefined; runId?: string | undefined }): void
  /** What the runtime holds of a run, also of one that it did not start. */
  liveRunOf(runId: string): LiveRun | undefined
}

export function createRunner(context: StoreContext): Runner {
  const { actions, batcher, environment, liveRuns, present } = context
  const waiting = new Map<string, { resolve(): void; reject(error: unknown): void }>()

  function change(runId: string, connection: Omit<Partial<AgentRunConnection>, 'runId'>) {
    present.apply(actions.connectionChanged({ runId, at: environment.now(), ...connection }))
  }

  function create(options: { runId: string; sessionId: string; provider: AnyAgentProvider; input?: unknown }): LiveRun {
    const { runId, sessionId } = options
    const known = findRun(present.get().agentState, runId)?.state.lastSequenceByRun[runId]
    const live = createLiveRun({
      ...options,
      lastSequence: known ?? -1,
      apply: (event) => batcher.push(sessionId, event),
    })
    liveRuns.set(runId, live)
    return live
  }

  async function stream(live: LiveRun, adopted?: AdoptedWire): Promise<AgentConnectionError | undefined> {
    const { provider, input, runId, sessionId, controller } = live
    const known = findRun(present.get().agentState, runId)?.state.lastSequenceByRun[runId]
    let loss: AgentConnectionError | undefined
    await runAgentProvider({
      provider: adopted?.provider ?? provider,
      input,
      run: { sessionId, runId, signal: controller.signal, now: environment.now, ...(adopted && { initialSequence: known }) },
      onEvent: live.receive,
      pause: createBreather(environment),
      onConnected: () => change(runId, { state: 'connected' }),
      onTransportError(error) {
        batcher.flush()
        // A wire that breaks after the run's end has nothing more to say.
        if (getRunOutlook(present.get().agentState, runId) === 'ended') return 'stop'
        const { code, message } = describeError(error)
        loss = { code, message }
        return 'transform'
      },
    })
    return loss
  }

  function finish(live: LiveRun, loss: AgentConnectionError | undefined) {
    const { runId, controller } = live
    live.isStreaming = false
    const outlook = getRunOutlook(present.get().agentState, runId)
    if (outlook === 'ended') liveRuns.delete(runId)
    // Who closed the wire has said so: `abort`, or the end of the run.
    if (controller.signal.aborted) return
    if (loss) change(runId, { state: outlook === 'ended' ? 'failed' : 'unrecoverable', error: loss })
    else if (outlook !== 'open') change(runId, { state: 'idle' })
    else {
      const message = 'The stream ended before the run did. Send the request again, or start another run.'
      change(runId, { state: 'unrecoverable', error: { code: 'unexpected_end', message } })
    }
  }

  /** Reads a run's wire to its end; what ended it otherwise is told, and thrown. */
  async function follow(live: LiveRun, adopted?: AdoptedWire) {
    live.isStreaming = true
    try {
      const loss = await stream(live, adopted)
      batcher.flush()
      finish(live, loss)
    } catch (error) {
      live.isStreaming = false
      batcher.flush()
      const { code, message } = describeError(error)
      change(live.runId, { state: 'failed', error: { code, message } })
      throw error
    }
  }

  return {
    start({ sessionId, provider, input }) {
      assertPresent(present)
      const runId = environment.createId()
      const live = create({ runId, sessionId, provider: registerProvider(context, provider), input })
      const finished = new Promise<{ runId: string }>((resolve, reject) => {
        waiting.set(runId, { resolve: () => resolve({ runId }), reject })
      })
      const { id: providerId } = live.provider
      present.apply(actions.runRequested({ sessionId, runId, providerId, at: environment.now() }))
      return { runId, finished }
    },

    async drive(runId) {
      const live = liveRuns.get(runId)
      const waiter = waiting.get(runId)
      // An action that this runtime did not make, such as a dispatched copy, starts nothing.
      if (!live || !waiter) return
      waiting.delete(runId)
      await follow(live).then(waiter.resolve, waiter.reject)
    },

    async adopt(live, wire) {
      live.controller = wire.controller
      change(live.runId, { state: 'connected', detached: false, error: undefined })
      // Nobody waits for this wire by itself: what became of it stands in the connection.
      await follow(live, wire).catch(() => undefined)
    },

    abort({ sessionId, runId }) {
      batcher.flush()
      for (const live of [...liveRuns.values()]) {
        const isMeant = runId === undefined ? live.sessionId === sessionId : live.runId === runId
        if (!isMeant || live.controller.signal.aborted) continue
        live.controller.abort()
        change(live.runId, { state: 'idle', detached: getRunOutlook(present.get().agentState, live.runId) !== 'ended' })
      }
    },

    liveRunOf(runId) {
      const live = liveRuns.get(runId)
      if (live) return live
      const found = findRun(present.get().agentState, runId)
      const providerId = getOwn(present.get().connection.runs, runId)?.providerId
      const provider = providerId === undefined ? undefined : context.providers.get(providerId)
      return found && provider ? create({ runId, sessionId: found.sessionId, provider }) : undefined
    },
  }
}
