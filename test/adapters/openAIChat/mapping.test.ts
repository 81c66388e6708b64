import { createOpenAIChatProvider } from 'redux-agent/adapters/openai-chat'
import { validateAgentProviderEvents } from 'redux-agent/testing'
import { describe, expect, it } from 'vitest'
import { collectRun } from '../openAI/collectRun.ts'
import { createWire } from '../openAI/createWire.ts'
import { readRecordings } from '../openAI/readRecordings.ts'

const provider = (chunks: readonly unknown[]) => createOpenAIChatProvider({ fetch: createWire(chunks).fetch })

/** A chunk of one choice. */
const chunk = (delta: unknown, finishReason: string | null = null, more: object = {}) => ({
  id: 'c1',
  object: 'chat.completion.chunk',
  choices: [{ index: 0, delta, finish_reason: finishReason, ...more }],
})

async function run(...chunks: readonly unknown[]) {
  const used = provider(chunks)
  const { events, failures, state } = await collectRun(used, { input: { message: 'Hello' } })
  expect(validateAgentProviderEvents(used.capabilities, events)).toEqual([])
  expect(state.issues).toEqual([])
  const [message] = Object.values(state.messages).filter(({ role }) => role === 'assistant')
  return {
    events,
    failures,
    run: state.runs.r1!,
    text: message?.content,
    message,
    reasoning: Object.values(state.reasoning),
    calls: Object.values(state.toolCalls).map(({ id, name, arguments: text, status, reason }) => ({
      id,
      name,
      text,
      status,
      reason,
    })),
  }
}

const handed = 'It is the app’s to run, and to answer with its next request.'

describe('an answer of chat completions', () => {
  it('is a message that streams, with the person’s own before it', async () => {
    const { events } = await run(
      chunk({ role: 'assistant', content: '' }),
      chunk({ content: 'Hi ' }),
      chunk({ content: 'there' }),
      chunk({}, 'stop'),
      { choices: [], usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 } },
      '[DONE]',
    )
    expect(events.map(({ type, payload }) => ({ type, ...payload }))).toEqual([
      { type: 'run.started' },
      { type: 'message.started', messageId: 'user', role: 'user', content: 'Hello' },
      { type: 'message.completed', messageId: 'user' },
      { type: 'message.started', messageId: 'assistant', role: 'assistant' },
      { type: 'message.delta', messageId: 'assistant', delta: 'Hi ' },
      { type: 'message.delta', messageId: 'assistant', delta: 'there' },
      { type: 'message.completed', messageId: 'assistant' },
      {
        type: 'run.completed',
        output: { finishReason: 'stop' },
        usage: { inputTokens: 3, outputTokens: 2, totalTokens: 5 },
      },
    ])
  })

  it('takes null and missing fields for nothing, and the first of several choices', async () => {
    const { text, run: ended } = await run(
      { choices: null },
      {},
      { type: 'ping' },
      { choices: [{ index: 1, delta: { content: 'No' } }] },
      { choices: [{ delta: null }] },
      chunk({ content: null, reasoning_content: null, refusal: null, tool_calls: null }),
      {
        choices: [
          { index: 1, delta: { content: 'No' } },
          { index: 0, delta: { content: 'Yes' }, finish_reason: 'stop' },
        ],
      },
      { choices: [], usage: null },
    )
    expect(text).toBe('Yes')
    expect(ended).toMatchObject({ status: 'completed', output: { finishReason: 'stop' } })
    expect(ended.usage).toBeUndefined()
  })

  it.each([{ field: 'reasoning_content' }, { field: 'reasoning' }])(
    'reads $field as reasoning of its own',
    async ({ field }) => {
      const { reasoning, text } = await run(
        chunk({ [field]: 'Let me ' }),
        chunk({ [field]: 'see.' }),
        chunk({ content: 'So.' }),
        chunk({ [field]: 'More.' }, 'stop'),
      )
      expect(reasoning.map(({ content, status }) => [content, status])).toEqual([
        ['Let me see.', 'completed'],
        ['More.', 'completed'],
      ])
      expect(text).toBe('So.')
    },
  )

  it('reads Mistral’s parts: thinking, text, and what else there is under its own name', async () => {
    const { reasoning, text } = await run(
      chunk({ content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'Hm' }] }] }),
      chunk({ content: [{ type: 'thinking', thinking: '.' }] }),
      chunk({
        content: [
          { type: 'text', text: 'See ' },
          { type: 'reference', reference_ids: [1] },
        ],
      }),
      chunk({ content: 'this' }, 'stop'),
    )
    expect(reasoning[0]?.content).toBe('Hm.')
    expect(text).toEqual([
      { type: 'text', text: 'See ' },
      { type: 'openai.reference', data: { type: 'reference', reference_ids: [1] } },
      { type: 'text', text: 'this' },
    ])
  })

  it('shows pictures of an answer', async () => {
    const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AA' } }
    const { text } = await run(chunk({ content: 'Here:', images: [image] }, 'stop'))
    expect(text).toEqual([
      { type: 'text', text: 'Here:' },
      { type: 'image', url: 'data:image/png;base64,AA' },
    ])
  })

  it('shows a refusal as what was said, and says that it is one', async () => {
    const { text, run: ended } = await run(chunk({ refusal: 'I ' }), chunk({ refusal: 'cannot.' }), chunk({}, 'stop'))
    expect(text).toBe('I cannot.')
    expect(ended.output).toEqual({ finishReason: 'stop', refused: true })
  })

  it.each(['length', 'content_filter', 'stop'])('that ends by %s is completed, and says so', async (reason) => {
    const { run: ended, message } = await run(chunk({ content: 'So far' }, reason), '[DONE]')
    expect(ended).toMatchObject({ status: 'completed', output: { finishReason: reason } })
    expect(message?.status).toBe('completed')
  })

  it('of nothing but the end is completed without a message', async () => {
    const { message, run: ended } = await run('[DONE]')
    expect(message).toBeUndefined()
    expect(ended).toMatchObject({ status: 'completed', output: { finishReason: 'unknown' } })
  })

  it('counts usage that Groq states its own way', async () => {
    const { run: ended } = await run(chunk({ content: 'a' }, 'stop'), {
      choices: [],
      x_groq: { usage: { prompt_tokens: 1, completion_tokens_details: { reasoning_tokens: 4 } } },
    })
    expect(ended.usage).toEqual({ inputTokens: 1, reasoningTokens: 4 })
  })
})

describe('tool calls', () => {
  const call = (fields: object) => chunk({ tool_calls: [fields] })

  it('stream in piece by piece, side by side, and are left to the app', async () => {
    const { calls, run: ended } = await run(
      chunk({ content: 'Looking.' }),
      call({ index: 0, id: 'a', type: 'function', function: { name: 'look', arguments: '' } }),
      call({ index: 1, id: 'b', type: 'function', function: { name: 'find', arguments: '{"q"' } }),
      call({ index: 0, function: { arguments: '{"at":' } }),
      call({ index: 1, function: { arguments: ':2}' } }),
      call({ index: 0, function: { arguments: '1}' } }),
      chunk({}, 'tool_calls'),
    )
    expect(calls).toEqual([
      { id: 'a', name: 'look', text: '{"at":1}', status: 'cancelled', reason: handed },
      { id: 'b', name: 'find', text: '{"q":2}', status: 'cancelled', reason: handed },
    ])
    expect(ended).toMatchObject({ status: 'completed', output: { finishReason: 'tool_calls' } })
  })

  it('come whole in one chunk', async () => {
    const { calls } = await run(
      chunk({
        tool_calls: [
          { id: 'a', function: { name: 'look', arguments: '{}' } },
          { id: 'b', function: { name: 'look', arguments: { at: 1 } } },
        ],
      }),
      chunk({}, 'tool_calls'),
    )
    expect(calls.map(({ id, text }) => [id, text])).toEqual([
      ['a', '{}'],
      ['b', '{"at":1}'],
    ])
  })

  it('without ids get some, and go by index, or by the name that begins one', async () => {
    const byIndex = await run(
      call({ index: 0, function: { name: 'look', arguments: '{"a":' } }),
      call({ index: 1, function: { name: 'find', arguments: '{}' } }),
      call({ index: 0, function: { arguments: '1}' } }),
      chunk({}, 'tool_calls'),
    )
    expect(byIndex.calls.map(({ id, text }) => [id, text])).toEqual([
      ['r1:call:0', '{"a":1}'],
      ['r1:call:1', '{}'],
    ])
    const byName = await run(
      call({ function: { name: 'look', arguments: '{"a":' } }),
      call({ function: { arguments: '1}' } }),
      call({ function: { name: 'find', arguments: '{}' } }),
      chunk({}, 'tool_calls'),
    )
    expect(byName.calls.map(({ name, text }) => [name, text])).toEqual([
      ['look', '{"a":1}'],
      ['find', '{}'],
    ])
  })

  it('go by an index that is written as text', async () => {
    const { calls } = await run(
      call({ index: '0', id: 'a', function: { name: 'look', arguments: '{"a":' } }),
      call({ index: '1', id: 'b', function: { name: 'find', arguments: '{"b":' } }),
      call({ index: '0', function: { arguments: '1}' } }),
      call({ index: '1', function: { arguments: '2}' } }),
      chunk({}, 'tool_calls'),
    )
    expect(calls.map(({ id, text }) => [id, text])).toEqual([
      ['a', '{"a":1}'],
      ['b', '{"b":2}'],
    ])
  })

  it('that are all numbered 0 are told apart by their ids; an id that is taken stays one of a kind', async () => {
    const { calls } = await run(
      call({ index: 0, id: 'a', function: { name: 'look', arguments: '{}' } }),
      call({ index: 0, id: 'b', function: { name: 'look', arguments: '{}' } }),
      call({ index: 2, id: 'a', function: { name: 'look', arguments: '{"c":1}' } }),
      chunk({}, 'tool_calls'),
    )
    expect(calls.map(({ id, text }) => [id, text])).toEqual([
      ['a', '{}'],
      ['b', '{}'],
      ['a:2', '{"c":1}'],
    ])
  })

  it('may have the names of an object’s own things', async () => {
    const { calls } = await run(
      call({ index: 0, id: '__proto__', function: { name: 'constructor', arguments: '{"__proto__":1}' } }),
      chunk({}, 'tool_calls'),
    )
    expect(calls).toMatchObject([{ id: '__proto__', name: 'constructor', text: '{"__proto__":1}' }])
  })

  it('of the wire before tools are read, too', async () => {
    const { calls, run: ended } = await run(
      chunk({ function_call: { name: 'look', arguments: '' } }),
      chunk({ function_call: { arguments: '{"a":1}' } }),
      chunk({}, 'function_call'),
    )
    expect(calls).toMatchObject([{ name: 'look', text: '{"a":1}' }])
    expect(ended.output).toEqual({ finishReason: 'function_call' })
  })

  it('whose arguments were cut off say so', async () => {
    const { calls } = await run(
      call({ index: 0, id: 'a', function: { name: 'look', arguments: '{"a":' } }),
      chunk({}, 'length'),
    )
    expect(calls[0]?.reason).toBe('Its arguments were cut off.')
  })
})

describe('recordings of real services', () => {
  it('are read whole, without an issue', async () => {
    for (const { name, chunks } of readRecordings('openai-chat')) {
      const { events, text, calls, reasoning, run: ended } = await run(...chunks)
      const deltas = chunks.flatMap((entry) =>
        (entry.choices as { delta: Record<string, string | null> }[]).map((choice) => choice.delta),
      )
      const said = (field: string) => deltas.map((delta) => delta[field] ?? '').join('')
      expect(text ?? '', name).toBe(said('content'))
      expect(reasoning.map(({ content }) => content).join(''), name).toBe(said('reasoning_content'))
      for (const call of calls) expect(JSON.parse(call.text), name).toBeTypeOf('object')
      expect(calls.length > 0, name).toBe(name.includes('tool-call'))
      expect(ended.status, name).toBe('completed')
      expect(ended.usage?.totalTokens, name).toBeGreaterThan(0)
      expect(
        events.filter(({ type }) => /^run\.(completed|failed|cancelled)$/.test(type)),
        name,
      ).toHaveLength(1)
    }
  })
})
