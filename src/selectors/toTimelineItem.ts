import type { AgentEntityReference } from '../state/agentState.ts'
import type { AgentReasoningState } from '../state/entities/agentReasoningState.ts'
import type { AgentTimelineItem } from './agentTimelineItem.ts'

const items = new WeakMap<object, AgentTimelineItem>()

/** Gives the one item of an entity; a redacted reasoning's has an entity without content. */
export function toTimelineItem(
  { kind, id, runId }: AgentEntityReference,
  entity: AgentTimelineItem['entity'],
): AgentTimelineItem {
  const known = items.get(entity)
  if (known) return known
  const shown = kind === 'reasoning' ? withoutRedactedContent(entity as AgentReasoningState) : entity
  // The kind and the record that the entity came from belong together, which the type cannot see.
  const item = { kind, id, runId, entity: shown } as AgentTimelineItem
  items.set(entity, item)
  return item
}

function withoutRedactedContent(reasoning: AgentReasoningState): AgentReasoningState {
  return reasoning.redacted && reasoning.content !== '' ? { ...reasoning, content: '' } : reasoning
}
