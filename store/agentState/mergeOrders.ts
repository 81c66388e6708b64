import type { AgentEntityReference } from '../../src/state/agentState.ts'

/** References of a part of a session, each with its place in the whole. */
export interface PositionedOrder {
  readonly order: readonly AgentEntityReference[]
  readonly positions: readonly number[]
}

/** Merges two parts by place: runs that overlap settle one after the other, yet keep the order of their events. */
export function mergeOrders(left: PositionedOrder, right: PositionedOrder): PositionedOrder {
  if (right.order.length === 0) return left
  if (left.order.length === 0) return right
  const order: AgentEntityReference[] = []
  const positions: number[] = []
  let atLeft = 0
  let atRight = 0
  while (atLeft < left.order.length || atRight < right.order.length) {
    const takesLeft = (left.positions[atLeft] ?? Infinity) < (right.positions[atRight] ?? Infinity)
    const from = takesLeft ? left : right
    const index = takesLeft ? atLeft++ : atRight++
    order.push(from.order[index]!)
    positions.push(from.positions[index]!)
  }
  return { order, positions }
}
