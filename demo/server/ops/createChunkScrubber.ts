import {
  chatCompletionChunkSchema,
  type ChatCompletionChunk,
  type ChatToolCallDelta,
} from '../chat/chatCompletionChunk.ts'
import type { Scrubber } from './createScrubber.ts'
import type { TextScrubber } from './createTextScrubber.ts'

type Delta = NonNullable<NonNullable<ChatCompletionChunk['choices']>[number]['delta']>

/** The text that the answer is just saying, and how what was held back of it is given. */
interface Channel {
  kind: 'thinking' | 'content' | 'refusal' | 'call'
  call?: ChatToolCallDelta
  scrubber: TextScrubber
  describe(text: string): Delta
}

/** Takes the chunks of one answer and gives them without secrets, each text in its own order. */
export interface ChunkScrubber {
  push(chunk: unknown): unknown[]
  finish(): unknown[]
}

/** Makes the scrubber of one answer. Where another text begins, the end of the one before it is held back no longer. */
export function createChunkScrubber(scrubber: Pick<Scrubber, 'createTextScrubber'>): ChunkScrubber {
  let current: Channel | undefined

  const flush = (): unknown[] => {
    const text = current?.scrubber.finish() ?? ''
    const delta = current?.describe(text)
    current = undefined
    return text === '' ? [] : [toChunk(delta)]
  }
  const say = (kind: Channel['kind'], text: string | null | undefined, describe: Channel['describe']): unknown[] => {
    if (!text) return []
    const before = current?.kind === kind ? [] : flush()
    current ??= { kind, scrubber: scrubber.createTextScrubber(), describe }
    return [...before, toChunk(describe(current.scrubber.push(text)))]
  }
  const call = (delta: ChatToolCallDelta): unknown[] => {
    const before = current?.call !== undefined && isSameCall(current.call, delta) ? [] : flush()
    current ??= {
      kind: 'call',
      call: delta,
      scrubber: scrubber.createTextScrubber(),
      // A name would begin another call.
      describe: (text) => ({ tool_calls: [{ index: delta.index, id: delta.id, function: { arguments: text } }] }),
    }
    const text = current.scrubber.push(delta.function?.arguments ?? '')
    return [...before, toChunk({ tool_calls: [{ ...delta, function: { ...delta.function, arguments: text } }] })]
  }

  return {
    push(chunk) {
      const parsed = chatCompletionChunkSchema.safeParse(chunk)
      const choice = parsed.success ? parsed.data.choices?.[0] : undefined
      if (choice === undefined) return [chunk]
      const { delta, ...rest } = choice
      const { thinking, content } = splitContent(delta ?? {})
      const isLast = Boolean(rest.finish_reason)
      return [
        ...say('thinking', thinking, (text) => ({ reasoning_content: text })),
        ...say('content', content, (text) => ({ content: text })),
        ...say('refusal', delta?.refusal, (text) => ({ refusal: text })),
        ...(delta?.tool_calls ?? []).flatMap(call),
        ...(isLast ? flush() : []),
        ...(isLast || parsed.data?.usage ? [{ ...parsed.data, choices: [{ ...rest, delta: {} }] }] : []),
      ]
    },
    finish: flush,
  }
}

function toChunk(delta: Delta | undefined): unknown {
  return { choices: [{ delta }] }
}

/** As wires tell calls apart: by index, by id, or by a name that begins one. */
function isSameCall(one: ChatToolCallDelta, next: ChatToolCallDelta): boolean {
  if (next.id == null && next.index == null) return !next.function?.name
  return (!next.id || next.id === one.id) && (next.index == null || next.index === one.index)
}

function splitContent({ content, reasoning_content: reasoning, reasoning: other }: Delta) {
  const parts = Array.isArray(content) ? content : []
  const thoughts = parts.flatMap((part) => (part.thinking ?? []).map(({ text = '' }) => text))
  return {
    thinking: (reasoning ?? other ?? '') + thoughts.join(''),
    content: typeof content === 'string' ? content : parts.map(({ text = '' }) => text).join(''),
  }
}
