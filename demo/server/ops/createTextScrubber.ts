/** A text that comes in pieces, without its secrets. */
export interface TextScrubber {
  /** Takes a piece, and gives what is certain by now: the end is held back while it may be a secret's beginning. */
  push(piece: string): string
  /** Gives what is left, once nothing more comes. */
  finish(): string
}

/** No secret is longer: what is held back for longer is taken out. */
const maxHeld = 16_384

/** Makes the scrubber of one text. `whole` finds secrets, `open` the end of a text that may yet become one. */
export function createTextScrubber(options: {
  whole: RegExp
  open: RegExp
  known: readonly string[]
  replaceMatch(match: string, ...rest: unknown[]): string
}): TextScrubber {
  const { whole, open, known, replaceMatch } = options
  let held = ''
  // The character before: whether a word begins depends on it.
  let before = ''

  const scrub = (text: string) => (before + text).replace(whole, replaceMatch).slice(before.length)
  const findOpen = (text: string) => {
    // What begins further back has been there for too long, or is whole.
    const skipped = Math.max(0, text.length - maxHeld - 1)
    const found = text.slice(skipped).search(open)
    let start = found === -1 ? text.length : skipped + found
    for (const secret of known) {
      const first = Math.max(0, text.length - secret.length + 1)
      for (let index = first; index < start; index += 1) {
        if (secret.toLowerCase().startsWith(text.slice(index).toLowerCase())) start = index
      }
    }
    // A secret is given whole or not at all.
    for (const { index, 0: match } of text.matchAll(whole)) {
      if (index < start && index + match.length > start) start = index
    }
    return start
  }

  return {
    push(piece) {
      const text = before + held + piece
      const end = Math.max(findOpen(text), before.length)
      const ready = text.slice(before.length, end)
      held = text.slice(end)
      const given = scrub(ready)
      if (ready !== '') before = ready.slice(-1)
      if (held.length <= maxHeld) return given
      before = held.slice(-1)
      held = ''
      return `${given}[redacted]`
    },
    finish() {
      const given = scrub(held)
      held = ''
      return given
    },
  }
}
