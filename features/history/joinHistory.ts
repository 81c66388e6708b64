import { append } from '../../src/append.ts'

/**
 * Puts what stands for good before what is going on. A run that the session holds is shown as the session has it, in
 * the place where its history stands already, so that nothing moves or doubles when the run is let go of.
 */
export function joinHistory<Item>(
  history: readonly Item[],
  own: readonly Item[],
  getRunId: (item: Item) => string | undefined,
): readonly Item[] {
  if (history.length === 0) return own
  const ownByRun = new Map<string | undefined, Item[]>()
  for (const item of own) {
    const runId = getRunId(item)
    const ofRun = ownByRun.get(runId)
    if (ofRun) ofRun.push(item)
    else ownByRun.set(runId, [item])
  }
  const joined: Item[] = []
  const placed = new Set<string | undefined>()
  for (const item of history) {
    const runId = getRunId(item)
    const ofRun = runId === undefined ? undefined : ownByRun.get(runId)
    if (!ofRun) joined.push(item)
    else if (!placed.has(runId)) {
      placed.add(runId)
      append(joined, ofRun)
    }
  }
  for (const item of own) if (!placed.has(getRunId(item))) joined.push(item)
  return joined
}
