import type { AgentCheckpoint } from '../../src/checkpoint/agentCheckpoint.ts'
import type { AgentCommand } from '../../src/protocol/agentCommand.ts'
import { getAgentCommandActionKey } from '../../src/protocol/getAgentCommandActionKey.ts'
import { getAgentCommandKey } from '../../src/protocol/getAgentCommandKey.ts'
import { createInitialAgentState } from '../../src/state/createInitialAgentState.ts'
import type { AgentState } from '../../src/state/agentState.ts'
import { getOwn } from '../../src/state/ownRecord.ts'
import { joinSession } from '../agentState/joinSession.ts'
import { splitSession } from '../agentState/splitSession.ts'
import type { AgentCommandState } from '../commandStates/agentCommandState.ts'
import { noCommands, type AgentSessionCommands } from '../commandStates/createCommandStatesReducer.ts'
import { isCommandGranted } from '../commandStates/isCommandGranted.ts'
import type { AgentReconnectOptions } from '../connection/agentReconnectOptions.ts'
import type { AgentRunConnection } from '../connection/agentRunConnection.ts'
import type { Runner } from '../runtime/createRunner.ts'
import type { StoreContext } from '../runtime/storeContext.ts'
import { mergeStates } from './mergeStates.ts'

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
}): { runIds: readonly string[]; latestRunId: string | undefined } {
  const { context, runner, checkpoint, reconnect } = options
  const { actions, environment, present } = context
  const { sessionId, state: stored, inputByRun, cursorByRun, connectionByRun = {} } = checkpoint
  const slice = present.get()
  const session = getOwn(slice.agentState.sessions, sessionId)
  const memory = session ? joinSession(session) : createInitialAgentState()
  const wires = Object.values(slice.connection.runs).filter((run) => run.sessionId === sessionId)

  const isMemorys = (runId: string) => {
    if (wires.some((wire) => wire.runId === runId)) return true
    const known = getOwn(memory.lastSequenceByRun, runId)
    return known !== undefined && known >= (getOwn(stored.lastSequenceByRun, runId) ?? -1)
  }
  const known = [...Object.keys(stored.runs), ...Object.keys(connectionByRun), ...Object.keys(inputByRun)]
  const restored = [...new Set(known)].filter((runId) => !isMemorys(runId))
  if (restored.length === 0) return { runIds: [], latestRunId: undefined }

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
  present.apply(
    actions.sessionRestored({
      sessionId,
      session: splitSession(mergeStates(stored, memory, isMemorys)),
      commands: restoreCommands(getOwn(slice.commandStates, sessionId) ?? noCommands, {
        state: stored,
        commands: checkpoint.pendingCommands.filter(({ runId }) => restored.includes(runId)),
        at: environment.now(),
      }),
      connections: latestRunId === latest && isOver(latest) ? [...wires, ended] : wires,
      latestRunId: latestRunId === latest && !isOver(latest) ? undefined : latestRunId,
    }),
  )

  const runIds = restored.filter((runId) => !isOver(runId))
  for (const runId of runIds) {
    runner.restore({
      runId,
      sessionId,
      providerId: providerOf(runId),
      ...(Object.hasOwn(inputByRun, runId) && { input: { value: getOwn(inputByRun, runId) } }),
      cursor: getOwn(cursorByRun, runId),
      detached: getOwn(connectionByRun, runId)?.detached,
      state: 'restoring',
      isLatest: runId === latestRunId,
      reconnect,
    })
  }
  return { runIds, latestRunId }
}

/** What became of these commands is not known: they may be sent again, by a person alone (RFC, section 12.1). */
function restoreCommands(
  known: AgentSessionCommands,
  { state, commands, at }: { state: AgentState; commands: readonly AgentCommand[]; at: number },
): AgentSessionCommands {
  const interrupted = commands
    .filter((command) => !isCommandGranted(state, command))
    .map((command): AgentCommandState => ({
      command,
      key: getAgentCommandKey(command),
      status: 'failed',
      error: {
        code: 'interrupted',
        message: 'The page was left before the answer came; what became of it is not known. Try again.',
        retryable: true,
      },
      createdAt: at,
      updatedAt: at,
    }))
  const byKey = interrupted.map((entry) => [entry.key, entry] as const)
  const byAction = interrupted.map(({ command, key }) => [getAgentCommandActionKey(command), key] as const)
  return {
    ...known,
    commandStates: { ...Object.fromEntries(byKey), ...known.commandStates },
    latestCommandByAction: { ...Object.fromEntries(byAction), ...known.latestCommandByAction },
  }
}
