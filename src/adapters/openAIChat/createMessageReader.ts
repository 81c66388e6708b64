import type { ChatContent } from './chatChunk.ts'

const fields = ['text', 'reasoning', 'refusal'] as const

/** Tells what of an answer's messages is new: services send them as pieces, as all that was said so far, or at the end. */
export interface MessageReader {
  /** Notes a piece that a delta brought; from then on a message is the whole that its pieces make. */
  takeDelta(piece: ChatContent): void
  /** Gives what a message adds; its calls are all there, as their own names tell what of them is new. */
  takeMessage(message: ChatContent, options: { isLast: boolean }): ChatContent
}

export function createMessageReader(): MessageReader {
  const said = { text: '', reasoning: '', refusal: '' }
  let parts = 0
  let hasDeltas = false
  /** Whether messages are pieces: one did not begin with what was said before it. */
  let arePieces = false

  function add(piece: ChatContent): ChatContent {
    for (const field of fields) said[field] += piece[field]
    parts += piece.parts.length
    return piece
  }

  return {
    takeDelta(piece) {
      hasDeltas ||= piece.toolCalls.length > 0 || piece.parts.length > 0 || fields.some((field) => piece[field] !== '')
      add(piece)
    },
    takeMessage(message, { isLast }) {
      const isOther = fields.some((field) => message[field] !== '' && !message[field].startsWith(said[field]))
      if (!hasDeltas && isOther && !isLast) arePieces = true
      const isPiece = !hasDeltas && (isOther || (arePieces && !isLast))
      if (isPiece) return add(message)
      // What was streamed stands, also where the whole says it in other words.
      const rest = (field: (typeof fields)[number]) =>
        message[field].startsWith(said[field]) ? message[field].slice(said[field].length) : ''
      return add({
        text: rest('text'),
        reasoning: rest('reasoning'),
        refusal: rest('refusal'),
        parts: message.parts.slice(parts),
        toolCalls: message.toolCalls,
      })
    },
  }
}
