/** Any text, also an empty one. */
export function isText(value: unknown): value is string {
  return typeof value === 'string'
}

/** A string that is not empty: every id and every name of the protocol. */
export function isFilled(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

/** An object that is no list. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
