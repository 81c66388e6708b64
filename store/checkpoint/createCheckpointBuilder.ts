import {
  AGENT_CHECKPOINT_SCHEMA_VERSION,
  type AgentCheckpoint,
  type AgentCheckpointConnection,
} from '../../src/checkpoint/agentCheckpoint.ts'
import { toStoredState } from '../../src/checkpoint/toStoredState.ts'
import type { AgentCommand } from '../../src/protocol/agentCommand.ts'
import { AGENT_COMMAND_PROTOCOL_VERSION } from '../../src/protocol/agentCommandProtocol.ts'
import { AGENT_EVENT_PROTOCOL_VERSION } from '../../src/protocol/agentEventProtocol.ts'
import type { AgentState } from '../../src/state/agentState.ts'
import { getOwn } from '../../src/state/ownRecord.ts'
import type { AgentSession } from '../agentState/agentStateSlice.ts'
import { createInitialSession } from '../agentState/createInitialSession.ts'
import { joinSession } from '../agentState/joinSession.ts'
import { releaseRun } from '../agentState/releaseRun.ts'
import type { AgentCommandState } from '../commandStates/agentCommandState.ts'
import { isCommandGranted } from '../commandStates/isCommandGranted.ts'
import { noCommands } from '../commandStates/createCommandStatesReducer.ts'
import type { AgentRunConnection } from '../connection/agentRunConnection.ts'
import type { AgentSlice } from '../runtime/agentSlice.ts'

/** Makes a session's checkpoint of the runtime's state: one value, so that state and cursors are of one moment. */
export type CheckpointBuilder = (
  slice: AgentSlice,
  session: {
    sessionId: string
    inputOf: (runId: string) => { value: unknown } | undefined
    readTo: (runId: string) => number | undefined
    startedAt: (runId: string) => number
    savedAt: number
  },
) => AgentCheckpoint

/** Makes a builder of checkpoints that are stored or, `isShown`, shown elsewhere, with what is not to be stored. */
export function createCheckpointBuilder({ isShown = false } = {}): CheckpointBuilder {
  // What has ended does not change: it is looked through once, not at each save.
  const plainSettled = new WeakMap<AgentState, AgentState>()

  function toStored(session: AgentSession): AgentState {
    if (isShown) return joinSession(session)
    let settled = plainSettled.get(session.settled)
    if (!settled) plainSettled.set(session.settled, (settled = toStoredState(session.settled)))
    return joinSession({ ...session, active: toStoredState(session.active), settled })
  }

  return (slice, { sessionId, inputOf, readTo, startedAt, savedAt }) => {
    const all = Object.values(slice.connection.runs).filter((run) => run.sessionId === sessionId)
    const wires = all.filter(({ isFollowed }) => !isFollowed)
    // What is only followed is whoever's who drives it.
    const session = all
      .filter(({ isFollowed }) => isFollowed)
      .reduce(
        (rest, { runId }) => releaseRun(rest, runId),
        getOwn(slice.agentState.sessions, sessionId) ?? createInitialSession(),
      )
    const isOver = (runId: string) => Object.hasOwn(session.settled.runs, runId)
    const isRunning = (runId: string) => Object.hasOwn(session.active.runs, runId)
    // A request that failed before the run's first event came to nothing: it must not go again by itself.
    const kept = wires.filter(({ runId, state }) => isOver(runId) || isRunning(runId) || state !== 'failed')
    const open = kept.filter(({ runId }) => !isOver(runId))
    return {
      schemaVersion: AGENT_CHECKPOINT_SCHEMA_VERSION,
      eventProtocolVersion: AGENT_EVENT_PROTOCOL_VERSION,
      commandProtocolVersion: AGENT_COMMAND_PROTOCOL_VERSION,
      sessionId,
      state: toStored(session),
      inputByRun: pick(open, ({ runId }) => inputOf(runId)?.value),
      cursorByRun: pick(open, ({ cursor }) => cursor),
      connectionByRun: pick(kept, (wire) =>
        toConnection(wire, {
          startedAt: startedAt(wire.runId),
          isOpen: isOpenWhileAsking(session.active, wire),
          readTo: isOver(wire.runId) ? undefined : readTo(wire.runId),
        }),
      ),
      pendingCommands: listPending(session.active, Object.values(commandsOf(slice, sessionId).commandStates)),
      savedAt,
    }
  }

  function commandsOf({ commandStates }: AgentSlice, sessionId: string) {
    return getOwn(commandStates, sessionId) ?? noCommands
  }
}

function toConnection(
  { providerId, detached }: AgentRunConnection,
  { startedAt, isOpen, readTo }: { startedAt: number; isOpen: boolean; readTo: number | undefined },
): AgentCheckpointConnection {
  const shown = { ...(detached && { detached }), ...(isOpen && { isOpen }), ...(readTo !== undefined && { readTo }) }
  return { providerId, ...shown, startedAt }
}

/** A parked run's wire is closed: one that is not waits for a person and for the rest of its stream. */
const isOpenWhileAsking = ({ approvals }: AgentState, { runId, state }: AgentRunConnection) =>
  state !== 'idle' &&
  Object.values(approvals).some((approval) => approval.runId === runId && approval.status === 'waiting')

function pick<Value>(
  wires: readonly AgentRunConnection[],
  get: (wire: AgentRunConnection) => Value | undefined,
): Record<string, Value> {
  const entries = wires.map((wire) => [wire.runId, get(wire)] as const)
  return Object.fromEntries(entries.filter((entry): entry is readonly [string, Value] => entry[1] !== undefined))
}

/** Commands that no event has answered, also those that may be sent again: a later retry keeps their key. */
function listPending(active: AgentState, commands: readonly AgentCommandState[]): AgentCommand[] {
  const isPending = ({ command, status, error }: AgentCommandState) =>
    (status !== 'failed' || error?.retryable === true) && isUnanswered(active, command)
  return commands.filter(isPending).map(({ command }) => command)
}

function isUnanswered(active: AgentState, command: AgentCommand): boolean {
  return Object.hasOwn(active.runs, command.runId) && !isCommandGranted(active, command)
}
