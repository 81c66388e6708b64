/** The text of a message, whichever way it was given. */
export function toText(value: string | readonly { text: string }[]): string {
  return typeof value === 'string' ? value : value.map(({ text }) => text).join('')
}
