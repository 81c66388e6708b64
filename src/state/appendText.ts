/**
 * Appends a delta to a text.
 *
 * @throws TypeError where the delta is no text, which only what is no event has.
 */
export function appendText(text: string, delta: string): string {
  if (typeof delta !== 'string') throw new TypeError('The delta is no text.')
  return text + delta
}
