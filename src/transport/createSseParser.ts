import { createParser } from 'eventsource-parser'

/** A message of an event stream, with the defaults that the standard gives its fields. */
export interface SseMessage {
  /** `message` where the stream names no type. */
  event: string
  data: string
  /** The last event id so far; empty where there was none. */
  id: string
}

/** Takes an event stream's bytes, cut anywhere. */
export interface SseParser {
  feed(bytes: Uint8Array): void
}

/**
 * Makes a parser of an event stream's bytes as the WHATWG standard has them, on eventsource-parser, which is told what
 * it cannot see: a CR at the end of the bytes ends its line at once, and an id counts also where its block has no data.
 */
export function createSseParser(options: {
  onMessage: (message: SseMessage) => void
  /** Gets a valid `retry:`, in milliseconds. */
  onRetry?: ((delay: number) => void) | undefined
  /** The most characters that a line or a message may take before it is complete. */
  maxBufferSize: number
  onOverflow: () => void
}): SseParser {
  const { onMessage, onRetry, maxBufferSize, onOverflow } = options
  const decoder = new TextDecoder()
  let id = ''
  let afterCr = false
  let overflown = false
  // The pieces of an unfinished line that is or may become an id, and whether another one has been fed already.
  let held: string[] = []
  let heldSize = 0
  let midLine = false

  function overflow(): void {
    overflown = true
    onOverflow()
  }

  function hold(text: string): void {
    held.push(text)
    heldSize += text.length
    if (heldSize > maxBufferSize) overflow()
  }

  const parser = createParser({
    onEvent: ({ event, data }) => onMessage({ event: event ?? 'message', data, id }),
    onRetry,
    onError: ({ type }) => {
      if (type === 'max-buffer-size-exceeded') overflow()
    },
    maxBufferSize,
  })
  // The parser takes three characters of a first chunk for a byte order mark's bytes; the decoder removed the mark.
  parser.feed('')

  function withLineFeeds(text: string): string {
    const rest = afterCr && text.startsWith('\n') ? text.slice(1) : text
    afterCr = text.endsWith('\r')
    return rest.includes('\r') ? rest.replace(/\r\n?/g, '\n') : rest
  }

  /** Feeds what comes before each id line and the line itself, so that a message meets the id of its own block. */
  function feedText(text: string): void {
    let fed = 0
    let line = midLine ? nextIdLine(text, 0) : startsIdLine(text, 0) ? 0 : nextIdLine(text, 0)
    while (line !== -1) {
      const end = text.indexOf('\n', line)
      if (end === -1) break
      const value = text.slice(text[line + 3] === ' ' ? line + 4 : line + 3, end)
      parser.feed(text.slice(fed, line))
      if (overflown) return
      if (!value.includes('\0')) id = value
      fed = line
      line = nextIdLine(text, end)
    }
    const lastLine = text.lastIndexOf('\n') + 1
    const isHeld = (lastLine > 0 || !midLine) && mayBecomeIdLine(text, lastLine)
    const rest = text.slice(fed, isHeld ? lastLine : text.length)
    midLine = !isHeld && !text.endsWith('\n')
    if (isHeld) hold(text.slice(lastLine))
    if (!overflown && rest !== '') parser.feed(rest)
  }

  return {
    feed(bytes) {
      if (overflown) return
      const decoded = decoder.decode(bytes, { stream: true })
      if (decoded === '') return
      const text = withLineFeeds(decoded)
      // What is longer than a name is an id: its pieces, which may be thousands, are joined once, at its line's end.
      if (heldSize > 2 && !text.includes('\n')) return hold(text)
      const whole = held.join('') + text
      held = []
      heldSize = 0
      if (whole !== '') feedText(whole)
    },
  }
}

/** Whether the line at `start` is an id: `id:`, or `id` alone. */
function startsIdLine(text: string, start: number): boolean {
  return text.startsWith('id', start) && (text[start + 2] === ':' || text[start + 2] === '\n')
}

function nextIdLine(text: string, from: number): number {
  for (let at = text.indexOf('\nid', from); at !== -1; at = text.indexOf('\nid', at + 1)) {
    if (startsIdLine(text, at + 1)) return at + 1
  }
  return -1
}

/** Whether the unfinished line at `start` is an id, or so short that it can still become one. */
function mayBecomeIdLine(text: string, start: number): boolean {
  const rest = text.length - start
  return rest > 0 && (rest < 3 ? 'id'.startsWith(text.slice(start)) : text.startsWith('id:', start))
}
