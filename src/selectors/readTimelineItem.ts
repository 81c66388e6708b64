import { recordOfKind, type AgentState } from '../state/agentState.ts'
import type { AgentReasoningState } from '../state/entities/agentReasoningState.ts'
import type { AgentTimelineItem } from './agentTimelineItem.ts'
import type { KeyedReference } from './getKeyedOrder.ts'
import { isHiddenEntity } from './isHiddenEntity.ts'

const items = new WeakMap<object, AgentTimelineItem>()

/** Gives the item of a reference whose key is at hand. */
export function readTimelineItem(state: AgentState, { reference, key }: KeyedReference): AgentTimelineItem | undefined {
  const { kind, id, runId } = reference
  // An entity's key begins with a number and a colon, as no property of a prototype does: it is read as it is.
  const entity: AgentTimelineItem['entity'] | undefined = state[recordOfKind[kind]][key]
  if (!entity || isHiddenEntity(entity)) return undefined
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
