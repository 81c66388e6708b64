import { chatCompletionChunkSchema, type ChatCompletionChunk } from '../chat/chatCompletionChunk.ts'
import type { Scrubber } from './createScrubber.ts'
import type { TextScrubber } from './createTextScrubber.ts'

type Delta = NonNullable<NonNullable<ChatCompletionChunk['choices']>[number]['delta']>

/** One of the texts that an answer is made of, and how what was held back of it is given. */
interface Channel {
  key: string
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
    return text === '' ? [] : [{ choices: [{ delta }] }]
  }
  const push = (key: string, text: string, describe: Channel['describe']): unknown[] => {
    const before = current === undefined || current.key === key ? [] : flush()
    current ??= { key, scrubber: scrubber.createTextScrubber(), describe }
    return [...before, { choices: [{ delta: describe(current.scrubber.push(text)) }] }]
  }
  const pushDelta = (delta: Delta): unknown[] => {
    const { thinking, content } = splitContent(delta)
    return [
      ...(thinking === '' ? [] : push('thinking', thinking, (text) => ({ reasoning_content: text }))),
      ...(content === '' ? [] : push('content', content, (text) => ({ content: text }))),
      ...(delta.refusal ? push('refusal', delta.refusal, (text) => ({ refusal: text })) : []),
      ...(delta.tool_calls ?? []).flatMap((call) =>
        push(`call ${call.index ?? call.id ?? ''}`, call.function?.arguments ?? '', (text) => ({
          tool_calls: [{ ...call, function: { ...call.function, arguments: text } }],
        })),
      ),
    ]
  }

  return {
    push(chunk) {
      const parsed = chatCompletionChunkSchema.safeParse(chunk)
      const choice = parsed.success ? parsed.data.choices?.[0] : undefined
      if (choice === undefined) return [chunk]
      const { delta, ...rest } = choice
      const isLast = Boolean(rest.finish_reason)
      const bare = { ...parsed.data, choices: [{ ...rest, delta: {} }] }
      return [...pushDelta(delta ?? {}), ...(isLast ? flush() : []), bare]
    },
    finish: flush,
  }
}

function splitContent({ content, reasoning_content: reasoning, reasoning: other }: Delta) {
  const parts = Array.isArray(content) ? content : []
  const thoughts = parts.flatMap((part) => (part.thinking ?? []).map(({ text = '' }) => text))
  return {
    thinking: (reasoning ?? other ?? '') + thoughts.join(''),
    content: typeof content === 'string' ? content : parts.map(({ text = '' }) => text).join(''),
  }
}
