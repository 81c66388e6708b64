import { asks, goesOn } from '../openAIResponses/approvalScripts.ts'
import { createLongScript } from '../openAIResponses/createLongScript.ts'
import { createResponseScript } from '../openAIResponses/createResponseScript.ts'

/** A recorded stream. */
export interface Recording {
  readonly name: string
  readonly chunks: readonly Record<string, unknown>[]
}

const choose = (delta: object, finishReason: string | null = null, more: object = {}) => ({
  ...{ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm' },
  choices: [{ index: 0, delta, logprobs: null, finish_reason: finishReason }],
  ...more,
})

function createError() {
  const script = createResponseScript()
  const error = { code: 'insufficient_quota', message: 'Quota.' }
  script.send({ type: 'error', error: { type: error.code, ...error } })
  return script.end('failed', { error })
}

/** Streams of the shapes that real services send, written by hand, for where no recordings are. */
export const ownRecordings: Readonly<Record<'openai-chat' | 'openai-responses', readonly Recording[]>> = {
  'openai-chat': [
    {
      name: 'own-reasoning',
      chunks: [
        choose({ role: 'assistant', content: null, reasoning_content: '' }),
        ...['The ', 'user ', 'greets.'].map((text) => choose({ content: null, reasoning_content: text })),
        ...['Hello', ', ', '世界 ', '😀'].map((text) => choose({ content: text, reasoning_content: null })),
        choose({ content: '' }, 'stop', { usage: { prompt_tokens: 3, completion_tokens: 9, total_tokens: 12 } }),
      ],
    },
    {
      name: 'own-tool-call',
      chunks: [
        choose({ role: 'assistant', content: null }, null, { x_groq: { id: 'r' } }),
        choose({ tool_calls: [{ index: 0, id: 't', type: 'function', function: { name: 'weather', arguments: '' } }] }),
        ...['{"city"', ':"Paris"}'].map((text) => choose({ tool_calls: [{ index: 0, function: { arguments: text } }] })),
        choose({}, 'tool_calls'),
        { ...choose({}), choices: [], usage: { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 } },
      ],
    },
  ],
  'openai-responses': [
    { name: 'own-tool-call.1', chunks: createLongScript().filter(({ type }) => type !== 'keepalive') },
    { name: 'own-error.1', chunks: createError() },
    { name: 'own-mcp-tool-approval.1', chunks: asks(['mcpr_1']) },
    { name: 'own-mcp-tool-approval.2', chunks: goesOn([]) },
  ],
}
