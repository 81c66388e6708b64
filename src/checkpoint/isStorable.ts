import { isJsonValue } from '../protocol/isJsonValue.ts'

/** How much deeper what an event holds may come to stand in a checkpoint. */
const margin = 16

/** Says whether a value survives JSON as a checkpoint, or a part of one, that holds events as deep as events may be. */
export function isStorable(value: unknown): boolean {
  return isJsonValue(value, { margin })
}
