import { statSync } from 'node:fs'

/**
 * Makes what throws once a database's files are no longer those that were opened: removed or put elsewhere they can be
 * written still, but nobody would ever find again what was acknowledged.
 *
 * @example
 * const requireInPlace = createFileWatch('data/runs.sqlite')
 */
export function createFileWatch(path: string): () => void {
  const known = new Map<string, string>()
  const isAsBefore = (file: string) => {
    const found = identify(file)
    const before = known.get(file)
    // The log of changes is made with the first one.
    if (before === undefined && found !== undefined) known.set(file, found)
    return before === undefined || before === found
  }
  return () => {
    if ([path, `${path}-wal`].every(isAsBefore)) return
    throw Object.assign(
      new Error('The database’s files are not where they were opened. Put them back, or start again without them.'),
      { code: 'SQLITE_READONLY_DBMOVED' },
    )
  }
}

function identify(file: string): string | undefined {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false })
  return found && `${found.dev}:${found.ino}`
}
