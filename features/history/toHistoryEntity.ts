import type { AgentHistoryMessage } from '../../src/readModel/agentHistoryMessage.ts'
import type { AgentMessageState } from '../../src/state/entities/agentMessageState.ts'

const entities = new WeakMap<AgentHistoryMessage, AgentMessageState>()

/** Gives a read model's message as the state would hold it, the same object each time. */
export function toHistoryEntity(message: AgentHistoryMessage): AgentMessageState {
  const known = entities.get(message)
  if (known) return known
  const { id, runId, role, content, status, createdAt } = message
  const entity: AgentMessageState = { id, runId, role, content, status, createdAt, updatedAt: createdAt }
  entities.set(message, entity)
  return entity
}
