import type { AgentCommand } from './agentCommand.ts'

/**
 * Gives the key of a command in `commandStates`: its commandId (RFC, section 8).
 *
 * @example
 * const state = commandStates[getAgentCommandKey(command)]
 */
export function getAgentCommandKey(command: Pick<AgentCommand, 'commandId'>): string {
  return command.commandId
}
