import type { AgentCommand, AgentCommandType } from '../../src/protocol/agentCommand.ts'
import { getAgentCommandActionKey } from '../../src/protocol/getAgentCommandActionKey.ts'
import { toCanonicalText } from '../../src/protocol/toCanonicalText.ts'
import { getOwn } from '../../src/state/ownRecord.ts'
import type { CommandStatesSlice } from './createCommandStatesReducer.ts'

/** Finds the failed command that a request repeats: a resend keeps its id and key, anything else is a new command. */
export function findResend(
  slice: CommandStatesSlice,
  options: { sessionId: string; request: { type: AgentCommandType; runId: string; payload: unknown } },
): AgentCommand | undefined {
  const session = getOwn(slice, options.sessionId)
  if (!session) return undefined
  const { type, runId, payload } = options.request
  const actionKey = getAgentCommandActionKey({ type, runId, payload } as AgentCommand)
  const latest = getOwn(session.commandStates, getOwn(session.latestCommandByAction, actionKey) ?? '')
  if (latest?.status !== 'failed') return undefined
  return toCanonicalText(latest.command.payload) === toCanonicalText(payload) ? latest.command : undefined
}
