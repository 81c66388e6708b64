import { isJsonValue } from '../../protocol/isJsonValue.ts'

/** How much deeper a value may come to stand in an event, in state and in a checkpoint than on its wire. */
const margin = 16

/**
 * Says whether what a wire brought may stand in state: JSON may be nested deeper than state can hold, and a number in it
 * may be too large for one.
 */
export function fitsState(value: unknown): boolean {
  let wrapped = value
  for (let level = 0; level < margin; level += 1) wrapped = [wrapped]
  return isJsonValue(wrapped)
}
