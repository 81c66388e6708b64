/** The JSON of a list of what is in hand. */
export interface SavedEntries {
  /** States an entry, or states it anew, in its place; nothing takes it away. */
  set(key: string, json: string | undefined): void
  /** The list, where it is not empty. */
  toJson(): string | undefined
}

/** How many parts are joined at once. */
const width = 8

/**
 * Keeps the JSON of a list for cursors, of which each chunk has one of its own. It is joined in a tree, so that an entry
 * that changes or goes joins a few parts anew, however many there are; all others are the same strings in all cursors.
 */
export function createSavedEntries(): SavedEntries {
  const places = new Map<string, number>()
  let next = 0
  /** The entries by their place; above them what so many neighbours of a level come to, up to one for all. */
  let levels: Map<number, string>[] = []

  const levelOf = (height: number) => (levels[height] ??= new Map())

  /** Joins with commas in between alone: to cut one off would copy the whole. */
  function join(parts: ReadonlyMap<number, string>, group: number): string {
    let json = ''
    for (let at = group * width; at < (group + 1) * width; at += 1) {
      const part = parts.get(at)
      if (part !== undefined) json = json === '' ? part : `${json},${part}`
    }
    return json
  }

  function put(place: number, json: string | undefined) {
    let at = place
    let part = json ?? ''
    for (let height = 0, reach = 1; ; height += 1, reach *= width) {
      const level = levelOf(height)
      if (part === '') level.delete(at)
      else level.set(at, part)
      if (reach >= next) return
      at = Math.floor(at / width)
      part = join(level, at)
    }
  }

  return {
    set(key, json) {
      const known = places.get(key)
      if (known === undefined && json === undefined) return
      const place = known ?? next++
      if (known === undefined) places.set(key, place)
      else if (levelOf(0).get(place) === json) return
      if (json === undefined) places.delete(key)
      if (places.size > 0) return put(place, json)
      next = 0
      levels = []
    },
    toJson: () => (places.size === 0 ? undefined : `[${levels.at(-1)!.get(0)!}]`),
  }
}
