import type { RunServerStore } from '../store/runServerStore.ts'
import type { SessionCookie } from './sessionCookie.ts'

/** Who somebody with several cookies is. */
export interface OwnerChoice {
  /**
   * Gives the one owner that all of these cookies count for, and those that are of no use any more; with `isWriting`
   * what is written now is this owner's from here on.
   */
  choose(cookies: readonly SessionCookie[], isWriting: boolean): Promise<{ ownerId: string; removed: SessionCookie[] }>
}

/** How many owners are remembered, the last ones: a race lasts for seconds. */
const maxRemembered = 10_000

/**
 * Makes the choice of one server: the owner under whom something is stored, else the one under whom a write is under
 * way, else the same one for whoever asks. The others then stand for that one, whoever still comes with them alone.
 */
export function createOwnerChoice(store: Pick<RunServerStore, 'read'>): OwnerChoice {
  const chosenFor = new Map<string, string>()
  const writers = new Map<string, true>()

  const remember = <Value>(map: Map<string, Value>, key: string, value: Value) => {
    map.delete(key)
    map.set(key, value)
    if (map.size > maxRemembered) map.delete(map.keys().next().value!)
  }
  const findStored = (ownerIds: readonly string[]) =>
    store.read(async ({ users }) => {
      for (const ownerId of ownerIds) if (await users.has(ownerId)) return ownerId
      return undefined
    })
  return {
    async choose(cookies, isWriting) {
      const resolved = cookies.map(({ ownerId }) => chosenFor.get(ownerId) ?? ownerId)
      const ownerIds = [...new Set(resolved)].sort()
      const stored = ownerIds.length === 1 ? undefined : await findStored(ownerIds)
      // Nothing is awaited from here on: of two who write at once, the second finds the first.
      const ownerId = stored ?? ownerIds.find((id) => writers.has(id)) ?? ownerIds[0]!
      if (isWriting) remember(writers, ownerId, true)
      for (const other of ownerIds) if (other !== ownerId) remember(chosenFor, other, ownerId)
      const isSure = stored !== undefined || ownerIds.length === 1
      return { ownerId, removed: isSure ? cookies.filter((cookie) => cookie.ownerId !== ownerId) : [] }
    },
  }
}
