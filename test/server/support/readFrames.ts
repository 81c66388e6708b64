import { createParser, type EventSourceMessage } from 'eventsource-parser'
import type { AgentEvent } from 'redux-agent'

export interface StoredEnvelope {
  runId: string
  seq: number
  event: AgentEvent
  createdAt: number
}

export interface Frame {
  /** `message` for a stored event, else the control frame's name. */
  name: string
  id: string | undefined
  data: Record<string, unknown>
}

/**
 * Reads the frames of a stream as they come; ends when it ends or is cut. Checkpoints are left out unless asked for:
 * most tests are about what is said.
 */
export async function* readFrames(
  response: Response,
  { withCheckpoints = false } = {},
): AsyncGenerator<Frame, void, undefined> {
  const messages: EventSourceMessage[] = []
  const parser = createParser({ onEvent: (message) => messages.push(message) })
  const decoder = new TextDecoder()
  const reader = response.body!.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      parser.feed(decoder.decode(value, { stream: true }))
      for (const { event = 'message', id, data } of messages.splice(0)) {
        if (event === 'checkpoint' && !withCheckpoints) continue
        yield { name: event, id, data: JSON.parse(data) as Record<string, unknown> }
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

/** The stored event that a frame brings. */
export function envelopeOf(frame: Frame): StoredEnvelope {
  return frame.data as unknown as StoredEnvelope
}

/** Reads on until an event of a type comes, and gives all frames up to it. */
export async function readUntil(frames: AsyncGenerator<Frame>, type: string): Promise<Frame[]> {
  const read: Frame[] = []
  for (;;) {
    const { done, value } = await frames.next()
    if (done) throw new Error(`The stream ended before ${type}: ${read.map(nameOf).join(', ')}`)
    read.push(value)
    if (nameOf(value) === type) return read
  }
}

/** The rest of a stream. */
export async function readAll(frames: AsyncIterable<Frame>): Promise<Frame[]> {
  const read: Frame[] = []
  for await (const frame of frames) read.push(frame)
  return read
}

/** The type of a frame's event, or the name of a control frame. */
export function nameOf(frame: Frame): string {
  return frame.name === 'message' ? envelopeOf(frame).event.type : frame.name
}

/** The events of frames. */
export function eventsOf(frames: readonly Frame[]): AgentEvent[] {
  return frames.filter((frame) => frame.name === 'message').map((frame) => envelopeOf(frame).event)
}
