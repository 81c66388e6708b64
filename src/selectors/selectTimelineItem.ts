import { getAgentEntityKey } from '../protocol/getAgentEntityKey.ts'
import { recordOfKind, type AgentEntityReference, type AgentState } from '../state/agentState.ts'
import type { AgentReasoningState } from '../state/entities/agentReasoningState.ts'
import type { AgentTimelineItem } from './agentTimelineItem.ts'
import type { KeyedReference } from './getKeyedOrder.ts'
import { isHiddenEntity } from './isHiddenEntity.ts'

const items = new WeakMap<object, AgentTimelineItem>()

/**
 * Gives the timeline's item of an entity, the same object while the entity is; the item of a redacted reasoning has
 * an entity without content. `undefined` where the state holds no such entity, or it is hidden.
 *
 * @example
 * selectTimelineItem(state, { kind: 'task', runId: 'r1', id: 'k1' })?.entity.status
 */
export function selectTimelineItem(state: AgentState, reference: AgentEntityReference): AgentTimelineItem | undefined {
  return readTimelineItem(state, { reference, key: getAgentEntityKey(reference.runId, reference.id) })
}

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
