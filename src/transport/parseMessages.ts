import { isThenable } from '../provider/isThenable.ts'
import { AgentTransportError } from './agentTransportError.ts'
import { createFrameError } from './createFrameError.ts'
import { nameWireError } from './nameWireError.ts'

/** What a transport's messages mean. */
export interface MessageMeaning<Request, Chunk, Message> {
  parse: (message: Message, request: Request) => Chunk | undefined
  isEnd?: ((chunk: Chunk) => boolean) | undefined
}

/** Makes the chunks of what has arrived, up to the stream's last one, or to the message that is not understood. */
export function parseMessages<Request, Chunk, Message>(
  messages: readonly Message[],
  { parse, isEnd }: MessageMeaning<Request, Chunk, Message>,
  /** Whose messages they are, and the number of the first of them on its connection. */
  place: { request: Request; adapter: string; first: number },
): { chunks: Chunk[]; ended?: boolean; failure?: unknown } {
  const { request, adapter, first } = place
  const chunks: Chunk[] = []
  for (let index = 0; index < messages.length; index += 1) {
    let chunk: Chunk | undefined
    try {
      chunk = parse(messages[index]!, request)
      if (isThenable(chunk)) throw asynchronous('parse')
    } catch (error) {
      return { chunks, failure: toInvalidFrame(error, { adapter, chunk: first + index }) }
    }
    if (chunk === undefined) continue
    chunks.push(chunk)
    try {
      const end = isEnd?.(chunk)
      if (isThenable(end)) throw asynchronous('isEnd')
      if (end) return { chunks, ended: true }
    } catch (error) {
      return { chunks, failure: toInvalidFrame(error, { adapter, chunk: first + index }) }
    }
  }
  return { chunks }
}

function asynchronous(name: string): TypeError {
  return new TypeError(`${name} of the transport returned a promise; it must answer at once.`)
}

function toInvalidFrame(error: unknown, place: { adapter: string; chunk: number }): unknown {
  if (error instanceof AgentTransportError) return nameWireError(error, { adapter: place.adapter, about: place.chunk })
  // A SyntaxError of JSON.parse quotes what it could not read, so it is not kept as the cause.
  const cause = error instanceof SyntaxError ? undefined : error
  return createFrameError(place, 'could not be understood', cause)
}
