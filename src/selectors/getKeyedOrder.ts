import { getAgentEntityKey } from '../protocol/getAgentEntityKey.ts'
import type { AgentEntityReference } from '../state/agentState.ts'

/** A reference with its entity's key. */
export interface KeyedReference {
  readonly reference: AgentEntityReference
  readonly key: string
}

const orders = new WeakMap<readonly AgentEntityReference[], readonly KeyedReference[]>()

/** Gives an order with its keys, made once: a delta leaves the order as it is, and making keys is most of a walk. */
export function getKeyedOrder(order: readonly AgentEntityReference[]): readonly KeyedReference[] {
  let keyed = orders.get(order)
  if (!keyed) {
    keyed = order.map((reference) => ({ reference, key: getAgentEntityKey(reference.runId, reference.id) }))
    orders.set(order, keyed)
  }
  return keyed
}
