/** Reads JSON from outside; nothing where it is none, which no JSON gives. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
