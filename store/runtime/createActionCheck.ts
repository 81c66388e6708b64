import { isFilled, isRecord } from '../../src/protocol/predicates.ts'
import { recordOfKind } from '../../src/state/agentState.ts'
import { connectionTable } from '../connection/connectionTable.ts'
import type { AgentReduxActions } from './createAgentReduxActions.ts'

type Check = (payload: Readonly<Record<string, unknown>>) => boolean

const isRun: Check = ({ runId }) => isFilled(runId)
const isState = (state: unknown) => typeof state === 'string' && Object.hasOwn(connectionTable, state)
const isTimed: Check = ({ at }) => Number.isFinite(at)
const isSessions: Check = ({ sessionId }) => isFilled(sessionId)

const isStart: Check = (payload) =>
  isRun(payload) && isSessions(payload) && isFilled(payload.providerId) && isTimed(payload)

const isConnection = (value: unknown) => isRecord(value) && isRun(value) && isSessions(value) && isState(value.state)

const records = [...Object.values(recordOfKind), 'sessions', 'runs', 'lastSequenceByRun', 'processedEvents'] as const
const isAgentState = (value: unknown) =>
  isRecord(value) &&
  records.every((name) => isRecord(value[name])) &&
  Array.isArray(value.order) &&
  Array.isArray(value.issues)

const isSession = (value: unknown) =>
  isRecord(value) &&
  isAgentState(value.active) &&
  isAgentState(value.settled) &&
  Array.isArray(value.activePositions) &&
  Array.isArray(value.settledPositions)

const isCommands = (value: unknown) =>
  isRecord(value) &&
  isRecord(value.commandStates) &&
  Object.values(value.commandStates).every((state) => isRecord(state) && isRecord(state.command)) &&
  isRecord(value.latestCommandByAction) &&
  Array.isArray(value.endedRuns)

/** Those of events and commands are looked at closely where they are taken. */
const checks: Partial<Record<keyof AgentReduxActions, Check>> = {
  registered: ({ instance }) => isFilled(instance),
  sessionRestored: (payload) =>
    isSessions(payload) &&
    isSession(payload.session) &&
    isCommands(payload.commands) &&
    Array.isArray(payload.connections) &&
    payload.connections.every(isConnection),
  sessionClosed: isSessions,
  runRequested: isStart,
  runFollowed: isStart,
  runReleased: (payload) => isRun(payload) && isSessions(payload),
  runResumed: (payload) => isRun(payload) && isTimed(payload),
  runRestored: ({ connection }) => isConnection(connection),
  connectionChanged: (payload) =>
    isRun(payload) && isTimed(payload) && (payload.state === undefined || isState(payload.state)),
  checkpointChanged: isSessions,
}

/**
 * Makes what says whether an action has the shape that its creator gives it, where it is one of the runtime's: one that
 * is imported, or dispatched by hand, may hold anything, and then it is nobody's.
 */
export function createActionCheck(actions: AgentReduxActions): (action: unknown) => boolean {
  const checkOf = new Map(
    Object.entries(checks).map(([name, check]) => [actions[name as keyof AgentReduxActions].type as string, check]),
  )
  return (action) => {
    // What is no action at all is Redux's to refuse.
    const { type, payload } = (action ?? {}) as { type?: unknown; payload?: unknown }
    const check = checkOf.get(type as string)
    return check === undefined || (isRecord(payload) && check(payload))
  }
}
