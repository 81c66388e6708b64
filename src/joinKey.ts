/** Joins the parts of a key, or of a name that a browser's tabs share; no two lists of parts give the same one. */
export function joinKey(parts: readonly string[]): string {
  return parts.map(escape).join(':')
}

function escape(part: string): string {
  return part.replace(/[%:]/g, (character) => (character === '%' ? '%25' : '%3A'))
}
