import { parseJson } from '../../parseJson.ts'
import { fitsState } from './fitsState.ts'

/** A call's arguments as what they say, for the eye; as their text where they are no JSON, or none that state can hold. */
export function parseArguments(text: string): unknown {
  const value = parseJson(text)
  return value === undefined || !fitsState(value) ? text : value
}
