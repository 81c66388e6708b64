/** Takes off what does not belong to a name. */
export function cleanTarget(target: string): string {
  return target
    .trim()
    .replace(/[?？]+$/, '')
    .replace(/^(?:the|our|my) +(?!current|open)/i, '')
    .replace(/^["“'「]|["”'」]$/g, '')
    .trim()
}
