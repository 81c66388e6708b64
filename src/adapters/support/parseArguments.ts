import { parseJson } from '../../parseJson.ts'

/** A call's arguments as what they say, for the eye; as their text where they are no JSON. */
export function parseArguments(text: string): unknown {
  const value = parseJson(text)
  return value === undefined ? text : value
}
