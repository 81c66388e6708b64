/** A text that comes in pieces, without its secrets. */
export interface TextScrubber {
  /** Takes a piece, and gives what is certain by now: a secret is held back until its end is known. */
  push(piece: string): string
  /** Gives what is left, once nothing more comes. */
  finish(): string
}

/** No secret is longer: what is held back for longer is taken out. */
const maxHeld = 16_384
/** How much of what was given is remembered, in characters: a secret's name may stand there. */
const maxContext = 160
/** From how many characters on the beginning of a known secret is held back. */
const minKnown = 3

/**
 * Makes the scrubber of one text. `whole` finds secrets, `open` one whose end has not come. Only what is a secret's own
 * is held back, not what goes before it, so that text stays as quick as it was.
 */
export function createTextScrubber(options: {
  whole: RegExp
  open: RegExp
  known: readonly string[]
  replaceMatch(match: string, ...rest: unknown[]): string
}): TextScrubber {
  const { whole, open, known, replaceMatch } = options
  // What was given last, as it came.
  let context = ''
  let held = ''

  const findOpen = (text: string) => {
    // What begins further back has been there for too long.
    const skipped = Math.max(0, text.length - maxHeld - maxContext)
    const found = text.slice(skipped).search(open)
    let start = found === -1 ? text.length : skipped + found
    for (const secret of known) {
      for (let index = Math.max(0, text.length - secret.length + 1); index <= text.length - minKnown; index += 1) {
        if (index < start && secret.toLowerCase().startsWith(text.slice(index).toLowerCase())) start = index
      }
    }
    // A secret is taken out whole.
    for (const { index, 0: match } of text.matchAll(whole)) {
      if (index < start && index + match.length > start) start = index
    }
    return start
  }
  const give = (text: string) => {
    const all = context + text
    let given = ''
    let position = context.length
    for (const match of all.matchAll(whole)) {
      const end = match.index + match[0].length
      if (end <= context.length) continue
      const replaced = replaceMatch(...(match as unknown as [string]), match.groups)
      const told = all.slice(match.index, Math.max(match.index, context.length))
      given += all.slice(position, Math.max(position, match.index))
      given += replaced.startsWith(told) ? replaced.slice(told.length) : '[redacted]'
      position = end
    }
    given += all.slice(position)
    context = all.slice(-maxContext)
    return given
  }

  return {
    push(piece) {
      const text = context + held + piece
      const end = Math.max(findOpen(text), context.length)
      const ready = text.slice(context.length, end)
      held = text.slice(end)
      const given = give(ready)
      if (held.length <= maxHeld) return given
      held = ''
      return `${given}[redacted]`
    },
    finish() {
      const text = held
      held = ''
      return give(text)
    },
  }
}
