/**
 * Gives the key of a run's entity in the records of AgentState; no two pairs of ids share one, whatever they hold.
 *
 * @example
 * const message = state.messages[getAgentEntityKey(runId, messageId)]
 */
export function getAgentEntityKey(runId: string, entityId: string): string {
  return `${runId.length}:${runId}:${entityId}`
}
