import type { AgentCheckpoint } from '../../src/checkpoint/agentCheckpoint.ts'
import type { AgentState } from '../../src/state/agentState.ts'
import { createInitialAgentState } from '../../src/state/createInitialAgentState.ts'
import { getOwn } from '../../src/state/ownRecord.ts'
import { joinSession } from '../agentState/joinSession.ts'
import { splitSession } from '../agentState/splitSession.ts'
import { apart } from '../batch/apart.ts'
import { flushApart } from '../batch/flushApart.ts'
import { mergeStates } from '../checkpoint/mergeStates.ts'
import type { AgentCommandState } from '../commandStates/agentCommandState.ts'
import { noCommands, type AgentSessionCommands } from '../commandStates/createCommandStatesReducer.ts'
import type { AgentRunConnection } from '../connection/agentRunConnection.ts'
import { isWireWanted } from '../connection/isWireWanted.ts'
import type { Runner } from '../runtime/runner.ts'
import type { StoreContext } from '../runtime/storeContext.ts'
import { mergeCommands } from './mergeCommands.ts'
import type { TabRun } from './tabMessage.ts'

/**
 * Puts the owner's session in place. Of each run there is the owner's, unless memory is ahead of it, by the answer of a
 * command of this tab's; runs that the owner does not know stay. Gives what the owner is still to be told of this tab's
 * commands.
 */
export function putSnapshot(options: {
  context: Omit<StoreContext, 'checkpoints'>
  runner: Runner
  checkpoint: AgentCheckpoint
  runs: readonly TabRun[]
  /** The session's commands as the owner has them. */
  commands: AgentSessionCommands
}): readonly AgentCommandState[] {
  const { context, runner, checkpoint, runs } = options
  const { actions, batcher, present } = context
  const { sessionId, state: theirs } = checkpoint
  flushApart(batcher)
  const slice = present.get()
  const session = getOwn(slice.agentState.sessions, sessionId)
  const memory = session ? joinSession(session) : createInitialAgentState()
  const isMemorys = (runId: string) => {
    const known = getOwn(memory.lastSequenceByRun, runId)
    return known !== undefined && known > (getOwn(theirs.lastSequenceByRun, runId) ?? -1)
  }
  /** A run's state and its cursor are one value: a cursor may be behind the state that is put in place, never ahead. */
  function withCursor(connection: AgentRunConnection): AgentRunConnection {
    const { runId } = connection
    const own = getOwn(slice.connection.runs, runId)?.cursor
    const isAsFar = getOwn(memory.lastSequenceByRun, runId) === getOwn(theirs.lastSequenceByRun, runId)
    const cursor = isMemorys(runId) ? (own ?? connection.cursor) : (connection.cursor ?? (isAsFar ? own : undefined))
    return { ...connection, ...(cursor !== undefined && { cursor }) }
  }

  const { issues, droppedIssues } = theirs
  const isRunning = (runId: string) => getOwn(theirs.runs, runId)?.status === 'running'
  const isRunningHere = (runId: string) => getOwn(memory.runs, runId)?.status === 'running'
  const own = getOwn(slice.commandStates, sessionId) ?? noCommands
  const { commands, untold } = mergeCommands(own, options.commands, isRunning)
  // Its owner has no wire of it: one that was open here is lost, until the person goes on with it here.
  const isTold = (runId: string) => runs.some(({ connection }) => connection.runId === runId)
  const kept = Object.values(slice.connection.runs).filter(
    ({ runId, isFollowed, ...run }) =>
      run.sessionId === sessionId && !isFollowed && !isTold(runId) && isMemorys(runId) && isRunningHere(runId),
  )
  const ownLatest = getOwn(slice.connection.latestRunBySession, sessionId)
  const keptLatest = kept.some(({ runId }) => runId === ownLatest) ? ownLatest : undefined
  const lost = kept.filter(({ state }) => isWireWanted(state)).map(({ runId }) => runId)
  const merged: AgentState = { ...mergeStates(theirs, memory, isMemorys), issues, droppedIssues }
  const change = actions.sessionRestored({
    sessionId,
    session: splitSession(merged),
    commands,
    connections: [
      ...kept.map((own): AgentRunConnection => (isWireWanted(own.state) ? { ...own, state: 'restoring' } : own)),
      ...runs.map(({ connection }) => withCursor(connection)),
    ],
    latestRunId: runs.find(({ isLatest }) => isLatest)?.connection.runId ?? keptLatest,
  })
  apart(() => present.apply(change))
  for (const { connection, input } of runs) {
    const { runId } = connection
    const readTo = isMemorys(runId) ? undefined : getOwn(checkpoint.connectionByRun ?? {}, runId)?.readTo
    runner.learn({ runId, input, readTo })
  }
  for (const runId of lost) apart(() => runner.takeUp(runId, { isAutomatic: false, wasOpen: true }))
  return untold
}
