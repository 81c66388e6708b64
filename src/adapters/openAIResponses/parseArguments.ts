/** A call's arguments as what they say, for the eye; as their text where they are no JSON. */
export function parseArguments(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}
