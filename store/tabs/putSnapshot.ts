import type { AgentCheckpoint } from '../../src/checkpoint/agentCheckpoint.ts'
import type { AgentState } from '../../src/state/agentState.ts'
import { createInitialAgentState } from '../../src/state/createInitialAgentState.ts'
import { getOwn } from '../../src/state/ownRecord.ts'
import { joinSession } from '../agentState/joinSession.ts'
import { splitSession } from '../agentState/splitSession.ts'
import { mergeStates } from '../checkpoint/mergeStates.ts'
import { restoreCommands } from '../checkpoint/restoreCommands.ts'
import { noCommands } from '../commandStates/createCommandStatesReducer.ts'
import type { Runner } from '../runtime/createRunner.ts'
import type { StoreContext } from '../runtime/storeContext.ts'
import type { TabRun } from './tabMessage.ts'

/**
 * Puts the owner's session in place. Of each run there is the owner's, unless memory is ahead of it, by the answer of a
 * command of this tab's; runs that the owner does not know stay.
 */
export function putSnapshot(options: {
  context: Omit<StoreContext, 'checkpoints'>
  runner: Runner
  checkpoint: AgentCheckpoint
  runs: readonly TabRun[]
}): void {
  const { context, runner, checkpoint, runs } = options
  const { actions, batcher, environment, present } = context
  const { sessionId, state: theirs, pendingCommands } = checkpoint
  batcher.flush()
  const slice = present.get()
  const session = getOwn(slice.agentState.sessions, sessionId)
  const memory = session ? joinSession(session) : createInitialAgentState()
  const isMemorys = (runId: string) => {
    const known = getOwn(memory.lastSequenceByRun, runId)
    return known !== undefined && known > (getOwn(theirs.lastSequenceByRun, runId) ?? -1)
  }
  const { issues, droppedIssues } = theirs
  const merged: AgentState = { ...mergeStates(theirs, memory, isMemorys), issues, droppedIssues }
  present.apply(
    actions.sessionRestored({
      sessionId,
      session: splitSession(merged),
      commands: restoreCommands(getOwn(slice.commandStates, sessionId) ?? noCommands, {
        state: theirs,
        commands: pendingCommands,
        at: environment.now(),
      }),
      connections: runs.map(({ connection }) => connection),
      latestRunId: runs.find(({ isLatest }) => isLatest)?.connection.runId,
    }),
  )
  for (const { connection, input } of runs) runner.learn({ runId: connection.runId, input })
}
