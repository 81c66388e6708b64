import { parseJson } from '../parseJson.ts'
import type { StreamParser } from './httpStream.ts'

/** One line of a stream, not yet looked into. */
export interface NdjsonLine {
  readonly text: string
  /** Its number on this connection, from 1, empty lines included. */
  readonly number: number
}

/** Makes a parser of lines of JSON, whose bytes may be cut anywhere. */
export function createNdjsonParser(options: {
  onMessage: (line: NdjsonLine) => void
  /** The most characters that a line may take before it is complete. */
  maxBufferSize: number
  onOverflow: () => void
}): StreamParser {
  const { onMessage, maxBufferSize, onOverflow } = options
  const decoder = new TextDecoder()
  // The parts of the unfinished line: joined once, as a line of megabytes comes in thousands of parts.
  let held: string[] = []
  let heldSize = 0
  let number = 0
  let overflown = false

  function takeLine(text: string): void {
    number += 1
    if (text.trim() !== '') onMessage({ text, number })
  }

  function hold(text: string): void {
    held.push(text)
    heldSize += text.length
    if (heldSize <= maxBufferSize) return
    overflown = true
    onOverflow()
  }

  function feedText(text: string): void {
    let start = 0
    for (let end = text.indexOf('\n'); end !== -1 && !overflown; end = text.indexOf('\n', start)) {
      hold(text.slice(start, end))
      start = end + 1
      if (overflown) return
      const whole = held.join('')
      held = []
      heldSize = 0
      takeLine(whole)
    }
    if (start < text.length) hold(text.slice(start))
  }

  return {
    feed(bytes) {
      if (!overflown) feedText(decoder.decode(bytes, { stream: true }))
    },
    end() {
      const rest = held.join('') + decoder.decode()
      if (overflown || rest.trim() === '') return true
      // A line without its end is whole where it is JSON: not every server ends its last one.
      if (parseJson(rest) === undefined) return false
      takeLine(rest)
      return true
    },
  }
}
