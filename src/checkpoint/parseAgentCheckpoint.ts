import { AGENT_COMMAND_PROTOCOL_VERSION } from '../protocol/agentCommandProtocol.ts'
import { AGENT_EVENT_PROTOCOL_VERSION } from '../protocol/agentEventProtocol.ts'
import { isRecord } from '../protocol/predicates.ts'
import { AGENT_CHECKPOINT_SCHEMA_VERSION, type AgentCheckpoint } from './agentCheckpoint.ts'
import { agentCheckpointSchema } from './agentCheckpointSchema.ts'
import { findStateFault } from './findStateFault.ts'
import { isStorable } from './isStorable.ts'

/** What is wrong with a stored value; the message names fields and never what they hold. */
export interface AgentCheckpointFault {
  readonly code: 'invalid' | 'unsupported_version' | 'foreign_session'
  readonly message: string
}

/** A checkpoint that can be trusted, or what is wrong with the value. */
export type AgentCheckpointParseResult =
  | { readonly checkpoint: AgentCheckpoint; readonly fault?: undefined }
  | { readonly fault: AgentCheckpointFault; readonly checkpoint?: undefined }

/**
 * Checks a value from outside for being a session's checkpoint, so that reducer and selectors can rely on it; never
 * throws (RFC, section 12.5). The value itself is given back, not a copy.
 *
 * @example
 * const { checkpoint, fault } = parseAgentCheckpoint(JSON.parse(text), { sessionId: 'conversation-1' })
 */
export function parseAgentCheckpoint(value: unknown, options: { sessionId: string }): AgentCheckpointParseResult {
  try {
    const fault = findFault(value, options.sessionId)
    return fault ? { fault } : { checkpoint: value as AgentCheckpoint }
  } catch {
    // A getter or a proxy of a hostile value may throw.
    return { fault: invalid('it is not plain data') }
  }
}

function findFault(value: unknown, sessionId: string): AgentCheckpointFault | undefined {
  if (!isRecord(value)) return invalid('it is not an object')
  const { schemaVersion, eventProtocolVersion, commandProtocolVersion } = value
  const versions = [
    ['schemaVersion', schemaVersion, AGENT_CHECKPOINT_SCHEMA_VERSION],
    ['eventProtocolVersion', eventProtocolVersion, AGENT_EVENT_PROTOCOL_VERSION],
    ['commandProtocolVersion', commandProtocolVersion, AGENT_COMMAND_PROTOCOL_VERSION],
  ] as const
  for (const [name, found, known] of versions) {
    if (typeof found !== typeof known) return invalid(`its ${name} is missing`)
    if (found !== known) {
      return { code: 'unsupported_version', message: `The checkpoint's ${name} is not ${known}, the only one known.` }
    }
  }
  if (typeof value.sessionId === 'string' && value.sessionId !== sessionId) return foreign('it')
  if (!isStorable(value)) return invalid('it is not JSON')
  const parsed = agentCheckpointSchema.safeParse(value)
  if (!parsed.success) return invalid(`${nameFields(parsed.error.issues[0]!.path)} is not what it must be`)
  const checkpoint = value as unknown as AgentCheckpoint
  if (Object.values(checkpoint.state.runs).some((run) => run.sessionId !== sessionId)) return foreign('a run of it')
  if (checkpoint.pendingCommands.some((command) => command.sessionId !== sessionId)) return foreign('a command of it')
  const fault = findStateFault(checkpoint.state)
  return fault ? invalid(fault) : undefined
}

function invalid(reason: string): AgentCheckpointFault {
  return { code: 'invalid', message: `The checkpoint is invalid: ${reason}.` }
}

function foreign(what: string): AgentCheckpointFault {
  return { code: 'foreign_session', message: `The checkpoint is not this session's: ${what} names another one.` }
}

/** The schema's own names alone: what lies deeper are ids. */
function nameFields(path: readonly PropertyKey[]): string {
  return path.slice(0, 2).filter((name) => typeof name === 'string').join('.')
}
