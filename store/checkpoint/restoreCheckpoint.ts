import type { AgentCheckpoint } from '../../src/checkpoint/agentCheckpoint.ts'
import { createInitialAgentState } from '../../src/state/createInitialAgentState.ts'
import { getOwn } from '../../src/state/ownRecord.ts'
import { joinSession } from '../agentState/joinSession.ts'
import { splitSession } from '../agentState/splitSession.ts'
import { apart } from '../batch/apart.ts'
import { noCommands } from '../commandStates/createCommandStatesReducer.ts'
import type { AgentReconnectOptions } from '../connection/agentReconnectOptions.ts'
import type { AgentRunConnection } from '../connection/agentRunConnection.ts'
import type { RestoredRun, Runner } from '../runtime/runner.ts'
import type { StoreContext } from '../runtime/storeContext.ts'
import { createMemoryRule } from './createMemoryRule.ts'
import { mergeStates } from './mergeStates.ts'
import { restoreCommands } from './restoreCommands.ts'

/**
 * Puts a checkpoint in place (RFC, section 12.4): state and commands, then the wires of the runs that are not over, as
 * `restoring`. What memory knows as well or better stays. Gives those runs, the one that may go on by itself named.
 */
export function restoreCheckpoint(options: {
  context: StoreContext
  runner: Runner
  checkpoint: AgentCheckpoint
  /** The provider of runs that say nothing of theirs. */
  providerId: string
  reconnect: false | AgentReconnectOptions | undefined
}): { runs: readonly { runId: string; wasOpen: boolean }[]; latestRunId: string | undefined } {
  const { context, runner, checkpoint, reconnect } = options
  const { actions, environment, present } = context
  const { sessionId, state: stored, inputByRun, cursorByRun, connectionByRun = {} } = checkpoint
  const slice = present.get()
  const session = getOwn(slice.agentState.sessions, sessionId)
  const memory = session ? joinSession(session) : createInitialAgentState()
  const wires = Object.values(slice.connection.runs).filter((run) => run.sessionId === sessionId)

  const isMemorys = createMemoryRule({
    memory,
    stored,
    hasWire: (runId) => wires.some((wire) => wire.runId === runId),
    isReading: runner.isReading,
  })
  const known = [...Object.keys(stored.runs), ...Object.keys(connectionByRun), ...Object.keys(inputByRun)]
  const restored = [...new Set(known)].filter((runId) => !isMemorys(runId))
  if (restored.length === 0) return { runs: [], latestRunId: undefined }

  const isOver = (runId: string) => (getOwn(stored.runs, runId)?.status ?? 'running') !== 'running'
  const providerOf = (runId: string) => getOwn(connectionByRun, runId)?.providerId ?? options.providerId
  const startOf = (runId: string) => getOwn(connectionByRun, runId)?.startedAt ?? -1
  const latestInMemory = getOwn(slice.connection.latestRunBySession, sessionId)
  const latest = [...restored].sort((one, other) => startOf(one) - startOf(other)).at(-1)!
  const latestRunId = latestInMemory ?? latest
  const ended: AgentRunConnection = {
    runId: latest,
    sessionId,
    providerId: providerOf(latest),
    state: 'idle',
    detached: false,
    hasEnded: true,
    updatedAt: environment.now(),
  }
  const change = actions.sessionRestored({
    sessionId,
    session: splitSession(mergeStates(stored, memory, isMemorys)),
    commands: restoreCommands(getOwn(slice.commandStates, sessionId) ?? noCommands, {
      state: stored,
      commands: checkpoint.pendingCommands.filter(({ runId }) => restored.includes(runId)),
      at: environment.now(),
    }),
    connections: latestRunId === latest && isOver(latest) ? [...wires, ended] : wires,
    latestRunId: latestRunId === latest && !isOver(latest) ? undefined : latestRunId,
  })
  apart(() => present.apply(change))

  const runIds = restored.filter((runId) => !isOver(runId))
  for (const runId of runIds) {
    const run: RestoredRun = {
      runId,
      sessionId,
      providerId: providerOf(runId),
      ...(Object.hasOwn(inputByRun, runId) && { input: { value: getOwn(inputByRun, runId) } }),
      cursor: getOwn(cursorByRun, runId),
      readTo: getOwn(connectionByRun, runId)?.readTo,
      detached: getOwn(connectionByRun, runId)?.detached,
      state: 'restoring',
      isLatest: runId === latestRunId,
      reconnect,
    }
    apart(() => runner.restore(run))
  }
  const runs = runIds.map((runId) => ({ runId, wasOpen: getOwn(connectionByRun, runId)?.isOpen === true }))
  return { runs, latestRunId }
}
