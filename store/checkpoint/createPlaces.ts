import type { AgentEntityReference } from '../../src/state/agentState.ts'
import type { CheckpointPiece } from './checkpointPiece.ts'

/**
 * Gives the references of a session's order places that stay, though entities before them are let go: a settled run is
 * written once, with its places.
 */
export interface Places {
  /** Gives a place to each reference; `hasMoved` where known places could not stay. */
  place(order: readonly AgentEntityReference[]): { readonly places: readonly number[]; readonly hasMoved: boolean }
}

/** Takes up the places that a session's stored pieces have. */
export function createPlaces(known: readonly Pick<CheckpointPiece, 'state' | 'places'>[]): Places {
  const byRun = new Map<string, number[]>()
  let next = 0

  function listOf(runId: string): number[] {
    let list = byRun.get(runId)
    if (!list) byRun.set(runId, (list = []))
    return list
  }

  for (const { state, places } of known) {
    state.order.forEach(({ runId }, index) => {
      listOf(runId).push(places[index]!)
      next = Math.max(next, places[index]! + 1)
    })
  }

  /** Nothing where known places are in another order, or leave no room. */
  function place(order: readonly AgentEntityReference[]) {
    const taken = new Map<string, number>()
    let last = 0
    const places: number[] = []
    for (const { runId } of order) {
      const list = listOf(runId)
      const index = taken.get(runId) ?? 0
      taken.set(runId, index + 1)
      const here = (list[index] ??= next++)
      if (here < last || !Number.isSafeInteger(here)) return undefined
      places.push((last = here))
    }
    return places
  }

  return {
    place(order) {
      const places = place(order)
      if (places) return { places, hasMoved: false }
      byRun.clear()
      next = 0
      return { places: place(order)!, hasMoved: true }
    },
  }
}
