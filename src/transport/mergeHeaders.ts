type HeaderRecord = Readonly<Record<string, string>>

/**
 * Joins headers: of one name the later value holds, however the name is spelled. `fetch` would send both, joined by a
 * comma, which is no content type any more.
 */
export function mergeHeaders(...records: readonly (HeaderRecord | undefined)[]): HeaderRecord {
  const entries = records.flatMap((record) => Object.entries(record ?? {}))
  const byName = new Map(entries.map((entry) => [entry[0].toLowerCase(), entry]))
  return Object.fromEntries(byName.values())
}
