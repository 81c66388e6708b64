import type { AgentCommandType } from './agentCommand.ts'

/**
 * Gives the key under which `latestCommandByAction` holds an action's newest command; no two actions share one
 * (RFC, section 8).
 *
 * @example
 * latestCommandByAction[getAgentActionKey({ runId, type: 'approval.resolve', entityId: approvalId })]
 */
export function getAgentActionKey(action: {
  runId: string
  type: AgentCommandType
  entityId?: string | undefined
}): string {
  return `${action.runId.length}:${action.runId}:${action.type}:${action.entityId ?? ''}`
}
