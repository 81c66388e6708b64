import { isRecord } from '../../protocol/predicates.ts'

/** The id of a file that the service has already: a part whose `data` is `{ fileId }`. */
export function readFileId(data: unknown): string | undefined {
  return isRecord(data) && typeof data.fileId === 'string' ? data.fileId : undefined
}
