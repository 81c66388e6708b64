import { freeze, type Reducer, type UnknownAction } from '@reduxjs/toolkit'
import { getAgentCommandActionKey } from '../../src/protocol/getAgentCommandActionKey.ts'
import { getAgentCommandKey } from '../../src/protocol/getAgentCommandKey.ts'
import { isRecord } from '../../src/protocol/predicates.ts'
import { isRunEnd } from '../../src/state/isRunEnd.ts'
import { getOwn } from '../../src/state/ownRecord.ts'
import { filterRecord } from '../agentState/filterRecord.ts'
import { readBatch } from '../batch/readBatch.ts'
import type { AgentReduxActions } from '../runtime/createAgentReduxActions.ts'
import type { AgentCommandError, AgentCommandState, AgentCommandStatus } from './agentCommandState.ts'
import { isCommandChange, type CommandChange } from './isCommandChange.ts'
import { isCommandFailure } from './isCommandFailure.ts'
import { isCommandState } from './isCommandState.ts'

/** The commands of a session, by key, and each action's newest one. */
export interface AgentSessionCommands {
  readonly commandStates: Readonly<Record<string, AgentCommandState>>
  readonly latestCommandByAction: Readonly<Record<string, string>>
  /** Runs with commands that have ended: the next run's start clears them. */
  readonly endedRuns: readonly string[]
}
/** The `commandStates` slice, by session. */
export type CommandStatesSlice = Readonly<Record<string, AgentSessionCommands>>

/** A session's commands before the first one. */
export const noCommands: AgentSessionCommands = freeze(
  { commandStates: {}, latestCommandByAction: {}, endedRuns: [] },
  true,
)

/** Makes the `commandStates` reducer (RFC, section 8): submitting → succeeded | failed, failed → submitting. */
export function createCommandStatesReducer(actions: AgentReduxActions): Reducer<CommandStatesSlice> {
  return (state = {}, action: UnknownAction) => {
    if (actions.commandSubmitted.match(action)) return withStatus(state, action.payload, 'submitting')
    if (actions.commandSucceeded.match(action)) return withStatus(state, action.payload, 'succeeded')
    if (actions.commandFailed.match(action)) return withStatus(state, action.payload, 'failed')
    if (actions.commandReported.match(action)) return withReport(state, action.payload)
    if (actions.runRequested.match(action)) {
      return clearEnded(state, action.payload.sessionId)
    }
    const received = readBatch(actions, action)
    if (received) {
      const { sessionId, events } = received
      if (!events.some(isRunEnd)) return state
      return keepLatest(state, sessionId, new Set(events.filter(isRunEnd).map((event) => event.runId)))
    }
    if (actions.runReleased.match(action)) {
      const { sessionId, runId } = action.payload
      const session = getOwn(state, sessionId)
      if (!session) return state
      const kept = keepCommands(session, (entry) => entry.command.runId !== runId)
      return { ...state, [sessionId]: { ...kept, endedRuns: kept.endedRuns.filter((ended) => ended !== runId) } }
    }
    if (actions.sessionClosed.match(action)) return filterRecord(state, (id) => id !== action.payload.sessionId)
    if (actions.sessionRestored.match(action)) {
      return { ...state, [action.payload.sessionId]: action.payload.commands }
    }
    return state
  }
}

function withStatus(
  state: CommandStatesSlice,
  change: CommandChange & { error?: AgentCommandError },
  status: AgentCommandStatus,
): CommandStatesSlice {
  const isSound = status === 'failed' ? isCommandFailure : isCommandChange
  if (!isSound(change)) return state
  const { command, at, error } = change
  const session = getOwn(state, command.sessionId) ?? noCommands
  const key = getAgentCommandKey(command)
  const known = getOwn(session.commandStates, key)
  // A command that was cleared with its run does not come back by its late answer.
  if (!known && status !== 'submitting') return state
  const createdAt = known?.createdAt ?? at
  const entry: AgentCommandState = { command, key, status, ...(error && { error }), createdAt, updatedAt: at }
  const latest = status === 'submitting' ? { [getAgentCommandActionKey(command)]: key } : {}
  return {
    ...state,
    [command.sessionId]: {
      ...session,
      commandStates: { ...session.commandStates, [key]: entry },
      latestCommandByAction: { ...session.latestCommandByAction, ...latest },
    },
  }
}

function withReport(slice: CommandStatesSlice, report: unknown): CommandStatesSlice {
  if (!isRecord(report)) return slice
  const { state, isLatest } = report
  if (!isCommandState(state)) return slice
  const { command, status, key, createdAt } = state
  const known = getOwn(getOwn(slice, command.sessionId)?.commandStates ?? {}, key)
  const change = { command, at: createdAt, ...(state.error && { error: state.error }) }
  const next = withStatus(slice, change, status)
  if (next === slice) return slice
  const session = next[command.sessionId]!
  const entry: AgentCommandState = { ...state, createdAt: known?.createdAt ?? createdAt }
  return {
    ...next,
    [command.sessionId]: {
      ...session,
      commandStates: { ...session.commandStates, [key]: entry },
      ...(!isLatest && { latestCommandByAction: getOwn(slice, command.sessionId)?.latestCommandByAction ?? {} }),
    },
  }
}

/** At a run's end the newest command of each of its actions stays: its loser still wants to know why. */
function keepLatest(state: CommandStatesSlice, sessionId: string, ended: ReadonlySet<string>): CommandStatesSlice {
  const session = getOwn(state, sessionId)
  if (!session) return state
  const latest = new Set(Object.values(session.latestCommandByAction))
  const kept = keepCommands(session, (entry) => !ended.has(entry.command.runId) || latest.has(entry.key))
  return { ...state, [sessionId]: { ...kept, endedRuns: [...new Set([...session.endedRuns, ...ended])] } }
}

/** A new run clears what ended runs left; the commands of one that still runs may yet be resent. */
function clearEnded(state: CommandStatesSlice, sessionId: string): CommandStatesSlice {
  const session = getOwn(state, sessionId)
  if (!session || session.endedRuns.length === 0) return state
  const { endedRuns } = session
  const isOver = ({ status, command }: AgentCommandState) =>
    status !== 'submitting' && endedRuns.includes(command.runId)
  const kept = keepCommands(session, (entry) => !isOver(entry))
  const left = new Set(Object.values(kept.commandStates).map((entry) => entry.command.runId))
  return { ...state, [sessionId]: { ...kept, endedRuns: endedRuns.filter((runId) => left.has(runId)) } }
}

function keepCommands(
  session: AgentSessionCommands,
  keeps: (entry: AgentCommandState) => boolean,
): AgentSessionCommands {
  const kept = Object.entries(session.commandStates).filter(([, entry]) => keeps(entry))
  if (kept.length === Object.keys(session.commandStates).length) return session
  const commandStates = Object.fromEntries(kept)
  const latest = Object.entries(session.latestCommandByAction).filter(([, key]) => Object.hasOwn(commandStates, key))
  return { ...session, commandStates, latestCommandByAction: Object.fromEntries(latest) }
}
