import { assertNever } from '../assertNever.ts'
import type { AgentCommand } from './agentCommand.ts'
import { getAgentActionKey } from './getAgentActionKey.ts'

/**
 * Gives the action key of a command: the run, the type, and the entity it is about.
 *
 * @example
 * getAgentCommandActionKey(commands.create('tool.retry', { toolCallId: 't1' })) // '2:r1:tool.retry:t1'
 */
export function getAgentCommandActionKey(command: AgentCommand): string {
  const { runId, type } = command
  switch (type) {
    case 'approval.resolve':
      return getAgentActionKey({ runId, type, entityId: command.payload.approvalId })
    case 'tool.retry':
      return getAgentActionKey({ runId, type, entityId: command.payload.toolCallId })
    case 'run.cancel':
      return getAgentActionKey({ runId, type })
    default:
      return assertNever(type)
  }
}
