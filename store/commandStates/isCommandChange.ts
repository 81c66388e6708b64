import type { AgentCommand } from '../../src/protocol/agentCommand.ts'
import { isAgentCommand } from '../../src/protocol/isAgentCommand.ts'
import { isRecord } from '../../src/protocol/predicates.ts'

/** What an action says of a command. */
export interface CommandChange {
  readonly command: AgentCommand
  /** In milliseconds. */
  readonly at: number
}

/** Says whether an action's payload is about a command: the runtime makes no other, one from elsewhere may hold anything. */
export function isCommandChange(payload: unknown): payload is CommandChange {
  return isRecord(payload) && isAgentCommand(payload.command) && Number.isFinite(payload.at)
}
