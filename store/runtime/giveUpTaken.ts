import { getOwn } from '../../src/state/ownRecord.ts'
import { apart } from '../batch/apart.ts'
import { noCommands } from '../commandStates/createCommandStatesReducer.ts'
import { getStandingDecision } from '../commandStates/getStandingDecision.ts'
import { isCommandGranted } from '../commandStates/isCommandGranted.ts'
import { pageLeft } from '../commandStates/pageLeft.ts'
import { findRun } from './findRun.ts'
import type { StoreContext } from './storeContext.ts'

/**
 * Says of commands that were taken, and that no event has answered, that it is not known what becomes of them: what a
 * provider gathers, or keeps until a stream has ended, is gone with its page or that stream. A dense server has what it
 * took.
 */
export function giveUpTaken(
  { actions, environment, present, providers }: Pick<StoreContext, 'actions' | 'environment' | 'present' | 'providers'>,
  about: { sessionId: string; runId?: string },
): void {
  const { agentState, commandStates, connection } = present.get()
  for (const { status, command } of Object.values((getOwn(commandStates, about.sessionId) ?? noCommands).commandStates)) {
    const { runId } = command
    const state = findRun(agentState, runId)?.state
    const wire = getOwn(connection.runs, runId)
    const isMeant = status === 'succeeded' && (about.runId ?? runId) === runId
    if (!isMeant || !wire || !state || state.runs[runId]!.status !== 'running') continue
    const isDense = providers.get(wire.providerId)?.capabilities.sequence === 'dense'
    if (isDense || isCommandGranted(state, command) || getStandingDecision(state, command)) continue
    apart(() => present.apply(actions.commandFailed({ command, at: environment.now(), error: pageLeft })))
  }
}
