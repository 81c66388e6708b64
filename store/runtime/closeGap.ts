import { followSignal } from '../../src/provider/followSignal.ts'
import { runAgentProvider } from '../../src/provider/runAgentProvider.ts'
import { getOwn } from '../../src/state/ownRecord.ts'
import { createBreather } from '../batch/createBreather.ts'
import { isWireWanted } from '../connection/isWireWanted.ts'
import { findRun } from './findRun.ts'
import type { LiveRun } from './liveRun.ts'
import type { StoreContext } from './storeContext.ts'

/**
 * Reads what a dense run lacks before the events of a command's answer that wait, where no wire of the run is open to
 * bring it, as when this page let go of the run: once, from its cursor, until nothing waits any more. The run stays let
 * go of. Where that comes to nothing, within the time that a command has, the events go on waiting.
 */
export async function closeGap(context: StoreContext, live: LiveRun, outer: AbortSignal): Promise<void> {
  const { environment, present, tabs, commandTimeout } = context
  const { provider, runId, sessionId, sequencer, input } = live
  const { agentState, connection } = present.get()
  const { cursor, state = 'idle' } = getOwn(connection.runs, runId) ?? {}
  // Here, or in the tab that owns the session.
  const isFollowed = tabs.isFollowing(sessionId) ? isWireWanted(state) : live.isStreaming && !live.controller.signal.aborted
  const canResume = provider.capabilities.resumable === true && provider.transport.resume !== undefined
  if (!sequencer.hasGap() || isFollowed || cursor === undefined || !canResume || !live.hasInput) return
  const { controller, release } = followSignal(outer)
  const stopTimer = environment.setTimer(() => controller.abort(), commandTimeout)
  const initialSequence = findRun(agentState, runId)?.state.lastSequenceByRun[runId]
  try {
    await runAgentProvider({
      provider,
      input,
      run: { sessionId, runId, signal: controller.signal, now: environment.now, initialSequence },
      resume: { cursor },
      pause: createBreather(environment),
      onTransportError: () => 'stop',
      onEvent(event) {
        live.receive(event)
        if (!sequencer.hasGap()) controller.abort()
      },
    })
  } catch {
    // What is wrong with that wire is told where the run is followed again; the command was answered all the same.
  } finally {
    stopTimer()
    release()
  }
}
