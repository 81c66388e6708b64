/** Above this many characters text is shown as it came: parsing and indenting it would hold up the page. */
const maxPretty = 200_000

/** Indents text that is whole JSON; text that is not (yet) comes back as it is. */
export function formatJsonText(text: string): string {
  if (text.length > maxPretty) return text
  // Streaming text is no JSON before its last bracket: a look at the end spares a parse each frame.
  const last = text.trimEnd().at(-1)
  if (last !== '}' && last !== ']') return text
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2)
  } catch {
    return text
  }
}
