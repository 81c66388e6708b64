import type { UIMessageChunk } from './uiMessageChunk.ts'

/** Chunks that say nothing of whether a call with all its arguments runs, or somebody is asked first. */
export function isNeutral({ type }: UIMessageChunk): boolean {
  switch (type) {
    case 'data':
    case 'message-metadata':
    case 'tool-input-available':
    case 'tool-input-error':
    case 'tool-approval-request':
    case 'tool-approval-response':
    case 'tool-output-available':
    case 'tool-output-error':
    case 'tool-output-denied':
    case 'finish-step':
    case 'reset-step':
    case 'finish':
    case 'error':
    case 'abort':
      return true
    default:
      return false
  }
}

/** Chunks that may come before the server has taken up the answers that it was sent. */
export function isPreamble(chunk: UIMessageChunk): boolean {
  switch (chunk.type) {
    case 'start':
    case 'start-step':
    case 'finish-step':
    case 'message-metadata':
    case 'error':
    case 'abort':
      return true
    case 'finish':
      return chunk.finishReason === 'error'
    default:
      return false
  }
}

/** Chunks that say how the stream ends. */
export const isEnd = ({ type }: UIMessageChunk) => type === 'error' || type === 'abort' || type === 'finish'
