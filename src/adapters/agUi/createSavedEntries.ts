/** The JSON of a list of what is in hand. */
export interface SavedEntries {
  /** States an entry, or states it anew; nothing takes it away. */
  set(key: string, json: string | undefined): void
  /**
   * The list, where it is not empty. An entry may stand in it twice: the later one holds, in the place of the first, as
   * where a Map is made of it.
   */
  toJson(): string | undefined
}

// How much may be outdated, in characters, besides as much as is not.
const spare = 1024

/**
 * Keeps the JSON of a list for cursors, of which each chunk has one of its own: what has not changed since is the same
 * string in all of them, so that a chunk costs what it changes.
 */
export function createSavedEntries(): SavedEntries {
  const entries = new Map<string, string>()
  let size = 0
  let head = ''
  let outdated = 0
  /** Whether the head holds what was taken away. */
  let isStale = false
  /** The entry that changed last, which may change with every chunk, stands behind the head. */
  let last: string | undefined

  function gather() {
    head = ''
    for (const json of entries.values()) head += `${json},`
    outdated = 0
    isStale = false
    last = undefined
  }

  return {
    set(key, json) {
      const before = entries.get(key)
      if (before === json) return
      size += (json?.length ?? 0) - (before?.length ?? 0)
      if (json === undefined) {
        entries.delete(key)
        isStale = true
        return
      }
      entries.set(key, json)
      if (isStale || key === last) return
      if (last !== undefined) head += `${entries.get(last)!},`
      if (before !== undefined) outdated += before.length
      last = key
      isStale = outdated > size + spare
    },
    toJson() {
      if (isStale) gather()
      if (entries.size === 0) return undefined
      return last === undefined ? `[${head.slice(0, -1)}]` : `[${head}${entries.get(last)!}]`
    },
  }
}
