import { isRecord } from '../../src/protocol/predicates.ts'

/**
 * Finds where the api stands that a request of this moment belongs to: what an endpoint is given names it nowhere, and
 * one definition may serve apis at several paths.
 */
export function findReducerPath(entry: { getState: () => unknown; requestId: string }): string | undefined {
  const isOfRequest = (query: unknown) => isRecord(query) && query.requestId === entry.requestId
  const root = entry.getState() as Readonly<Record<string, unknown>>
  return Object.keys(root).find((path) => {
    const slice = root[path]
    return isRecord(slice) && isRecord(slice.queries) && Object.values(slice.queries).some(isOfRequest)
  })
}
