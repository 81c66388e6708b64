import type { AgentSession } from '../agentState/agentStateSlice.ts'

/** A list over one part of a session and over the other, and over both where they overlap. */
export interface SessionLists<Item> {
  settled: readonly Item[]
  active: readonly Item[]
  joined: () => readonly Item[]
}

/**
 * Makes the view of a list over both parts of a session. The parts are put one behind the other, unless runs overlapped
 * in time; the settled part, which may be long, is never walked for a delta.
 */
export function createSessionView<Item>(): (session: AgentSession, lists: SessionLists<Item>) => readonly Item[] {
  const views = new WeakMap<readonly Item[], WeakMap<readonly Item[], readonly Item[]>>()
  return ({ activePositions, settledPositions }, { settled, active, joined }) => {
    if (settled.length === 0) return active
    if (active.length === 0) return settled
    if (settledPositions.at(-1)! > activePositions[0]!) return joined()
    let ofSettled = views.get(settled)
    if (!ofSettled) views.set(settled, (ofSettled = new WeakMap()))
    let view = ofSettled.get(active)
    if (!view) ofSettled.set(active, (view = [...settled, ...active]))
    return view
  }
}
