import { createOpenAIChatProvider } from 'redux-agent/adapters/openai-chat'
import { validateAgentProviderEvents } from 'redux-agent/testing'
import { describe, expect, it } from 'vitest'
import { collectRun } from '../openAI/collectRun.ts'
import { createWire, streamText, toSse, type WireAnswer } from '../openAI/createWire.ts'

// What servers that call themselves compatible send instead of what OpenAI sends.

const choice = (fields: object, finishReason: string | null = null) => ({
  choices: [{ index: 0, ...fields, finish_reason: finishReason }],
})
const delta = (fields: unknown, finishReason: string | null = null) => choice({ delta: fields }, finishReason)
const message = (fields: object, finishReason: string | null = null) => choice({ message: fields }, finishReason)
const calls = (...fields: object[]) => delta({ tool_calls: fields })
const call = (name: string | undefined, text: unknown, more: object = {}) => ({
  ...more,
  function: { ...(name !== undefined && { name }), ...(text !== undefined && { arguments: text }) },
})

async function run(answer: WireAnswer) {
  const provider = createOpenAIChatProvider({ fetch: createWire(answer).fetch })
  const { events, failures, state } = await collectRun(provider, { input: { message: 'Hello' } })
  expect(validateAgentProviderEvents(provider.capabilities, events)).toEqual([])
  expect(state.issues).toEqual([])
  const said = Object.values(state.messages).find(({ role }) => role === 'assistant')
  return {
    failures,
    run: state.runs.r1!,
    text: said?.content ?? '',
    thought: Object.values(state.reasoning).map(({ content }) => content),
    calls: Object.values(state.toolCalls).map(({ name, arguments: text }) => [name, text]),
  }
}

describe('a message in place of a delta', () => {
  it.each([
    ['of pieces', [message({ content: 'Hel' }), message({ content: 'lo, ' }), message({ content: 'you' }, 'stop')]],
    ['that grows', [message({ content: 'Hel' }), message({ content: 'Hello, ' }), message({ content: 'Hello, you' }, 'stop')]],
    ['that comes again', [message({ content: 'Hello, you' }), message({ content: 'Hello, you' }, 'stop')]],
    ['of pieces, whole at the end', [message({ content: 'Hello' }), message({ content: ', you' }), message({ content: 'Hello, you' }, 'stop')]],
    ['alone', [message({ role: 'assistant', content: 'Hello, you' }, 'stop')]],
    ['beside an empty delta', [choice({ delta: {}, message: { content: 'Hello, you' } }, 'stop')]],
    ['beside no delta', [choice({ delta: null, message: { content: 'Hello, you' } }, 'stop')]],
    ['after its deltas', [delta({ content: 'Hello' }), delta({ content: ', you' }), message({ content: 'Hello, you' }, 'stop')]],
    ['beside its last delta', [delta({ content: 'Hello' }), choice({ delta: { content: ', you' }, message: { content: 'Hello, you' } }, 'stop')]],
    ['with a rest that never streamed', [delta({ content: 'Hello' }), message({ content: 'Hello, you' }, 'stop')]],
    ['in other words than were streamed', [delta({ content: 'Hello, you' }), message({ content: 'Hello you' }, 'stop')]],
    ['without words after deltas', [delta({ content: 'Hello, you' }), message({ content: null }, 'stop')]],
    ['in two pieces of which the second ends it', [message({ content: 'Hello' }), message({ content: ', you' }, 'stop')]],
  ])('is read once: %s', async (_name, chunks) => {
    const { text, run: ended } = await run(chunks)
    expect(text).toBe('Hello, you')
    expect(ended).toMatchObject({ status: 'completed', output: { finishReason: 'stop' } })
  })

  it('brings its reasoning, its refusal, its parts and its calls once as well', async () => {
    const whole = {
      reasoning_content: 'Hm, so.',
      refusal: 'I cannot.',
      images: [{ type: 'image_url', image_url: { url: 'https://example.com/a.png' } }],
      tool_calls: [call('look', '{"a":1}', { id: 'a' }), call('find', { b: 2 }, { id: 'b' })],
    }
    const alone = await run([message(whole, 'tool_calls')])
    const after = await run([
      delta({ reasoning_content: 'Hm, ' }),
      delta({ reasoning_content: 'so.' }),
      delta({ refusal: 'I can' }),
      delta({ images: whole.images }),
      calls(call('look', '{"a"', { index: 0, id: 'a' })),
      message(whole, 'tool_calls'),
    ])
    for (const { thought, text, calls: made, run: ended } of [alone, after]) {
      expect(thought).toEqual(['Hm, so.'])
      expect(JSON.stringify(text).match(/I can/g)).toHaveLength(1)
      expect(JSON.stringify(text).match(/a\.png/g)).toHaveLength(1)
      expect(made).toEqual([
        ['look', '{"a":1}'],
        ['find', '{"b":2}'],
      ])
      expect(ended.output).toEqual({ finishReason: 'tool_calls', refused: true })
    }
  })

  it('with calls that have no id goes by their places', async () => {
    const whole = [call('look', '{"a":1}'), call('find', '{}')]
    const { calls: made } = await run([
      calls(call('look', '{"a":1}', { index: 0 })),
      calls(call('find', '{}', { index: 1 })),
      message({ tool_calls: whole }, 'tool_calls'),
    ])
    expect(made).toEqual([
      ['look', '{"a":1}'],
      ['find', '{}'],
    ])
  })
})

describe('the name of a call', () => {
  it.each([
    ['in pieces', { index: 0, id: 'a' }, ['get_', 'wea', 'ther']],
    ['in pieces, without an id', { index: 0 }, ['get_', 'wea', 'ther']],
    ['in pieces, without index and id', {}, ['get_', 'wea', 'ther']],
    ['that grows', { index: 0, id: 'a' }, ['get_', 'get_wea', 'get_weather']],
    ['again with each piece', { index: 0, id: 'a' }, ['get_weather', 'get_weather', 'get_weather']],
    ['again, without index and id', {}, ['get_weather', 'get_weather', 'get_weather']],
  ])('may come %s, before its arguments', async (_name, at, pieces) => {
    const { calls: made } = await run([
      ...pieces.map((piece) => calls(call(piece, '', at))),
      calls(call(undefined, '{"at":', at)),
      calls(call(undefined, '1}', at)),
      delta({}, 'tool_calls'),
    ])
    expect(made).toEqual([['get_weather', '{"at":1}']])
  })

  it.each([
    ['with an index', { index: 0 }],
    ['with an id', { id: 'a' }],
    ['with both', { index: 0, id: 'a' }],
    ['with neither', {}],
  ])('may come again with each piece of the arguments, %s', async (_name, at) => {
    const { calls: made } = await run([
      calls(call('look', '{"a":', at)),
      calls(call('look', '{"b":1}', at)),
      calls(call('look', '}', at)),
      delta({}, 'tool_calls'),
    ])
    expect(made).toEqual([['look', '{"a":{"b":1}}']])
  })

  it('of which nothing more comes is told with the end, in the order of the calls', async () => {
    const { calls: made } = await run([
      calls(call('now', undefined, { index: 0, id: 'a' })),
      calls(call('look', '{}', { index: 1, id: 'b' })),
      calls(call('then', undefined, { index: 2, id: 'c' })),
      delta({}, 'tool_calls'),
    ])
    expect(made).toEqual([
      ['now', ''],
      ['look', '{}'],
      ['then', ''],
    ])
  })

  it('begins another call where one is over, though nothing else tells them apart', async () => {
    const same = [call('look', '{"a":1}'), call('look', '{"a":2}'), call('find', '{}')]
    const expected = same.map(({ function: called }) => [called.name, called.arguments])
    expect((await run([...same.map((one) => calls(one)), delta({}, 'tool_calls')])).calls).toEqual(expected)
    expect((await run([calls(...same), delta({}, 'tool_calls')])).calls).toEqual(expected)
    const numbered = same.map((one) => calls({ ...one, index: 0 }))
    expect((await run([...numbered, delta({}, 'tool_calls')])).calls).toEqual(expected)
    const bare = await run([calls(call('a', undefined), call('b', undefined)), delta({}, 'tool_calls')])
    expect(bare.calls).toEqual([
      ['a', ''],
      ['b', ''],
    ])
  })
})

it('a call whose pieces each have an id of their own is one', async () => {
  const { calls: made } = await run([
    calls(call('look', '{"a"', { index: 0, id: 'x1' })),
    calls(call(undefined, ':1}', { index: 0, id: 'x2' })),
    delta({}, 'tool_calls'),
  ])
  expect(made).toEqual([['look', '{"a":1}']])
})

it('a list that is its one entry is read', async () => {
  const { calls: made, text } = await run([
    delta({ content: { type: 'text', text: 'Hi' } }),
    delta({ tool_calls: call('look', ['a', 1], { id: 'a' }) }),
    delta({}, 'tool_calls'),
  ])
  expect(made).toEqual([['look', '["a",1]']])
  expect(text).toEqual([{ type: 'text', text: 'Hi' }].map(({ text: said }) => said).join(''))
})

describe('an error that comes once the answer is over', () => {
  const late = { error: { code: 'overloaded', message: 'words of a person' } }
  it.each([
    ['', []],
    [' and [DONE]', ['[DONE]']],
    [', usage and [DONE]', [{ choices: [], usage: { total_tokens: 7 } }, '[DONE]']],
  ])('leaves the answer standing, and is told with it%s', async (_name, rest) => {
    const { run: ended, failures, text } = await run([delta({ content: 'Hi' }), delta({}, 'stop'), late, ...rest])
    expect(failures).toEqual([])
    expect(text).toBe('Hi')
    expect(ended).toMatchObject({
      status: 'completed',
      output: {
        finishReason: 'stop',
        error: {
          code: 'overloaded',
          message: 'openai-chat: the model service reported an error in chunk 2 (overloaded).',
          retryable: true,
        },
      },
    })
    expect(ended.usage?.totalTokens).toBe(rest.length === 2 ? 7 : undefined)
    expect(JSON.stringify(ended)).not.toContain('words')
  })

  it('fails the answer where it comes with the end', async () => {
    const { run: ended } = await run([delta({ content: 'Hi' }), { ...delta({}, 'error'), ...late }])
    expect(ended).toMatchObject({ status: 'failed', error: { code: 'overloaded' } })
  })
})

describe('an error with status 200', () => {
  it.each([
    ['as the chunk’s own kind', { object: 'error', message: 'words', code: 400 }, '400'],
    ['as the chunk’s type', { type: 'error', error: { type: 'overloaded_error' } }, 'overloaded_error'],
    ['as text', { error: 'words' }, 'provider_error'],
  ])('is one failure: %s', async (_name, chunk, code) => {
    const { run: ended } = await run([delta({ content: 'Hi' }), chunk])
    expect(ended).toMatchObject({ status: 'failed', error: { code } })
    expect(ended.error?.message).toMatch(/^openai-chat: .* in chunk 1/)
    expect(JSON.stringify(ended)).not.toContain('words')
  })

  it('may be named by the event that brings it', async () => {
    const frames = `${toSse([delta({ content: 'Hi' })])}event: error\ndata: {"code":"busy","message":"words"}\n\n`
    expect((await run(streamText(frames))).run).toMatchObject({ status: 'failed', error: { code: 'busy' } })
  })

  it.each([{ error: null }, { error: false }, { error: '' }])('is none where there is none: %j', async (fields) => {
    const { run: ended, text } = await run([{ ...delta({ content: 'Hi' }), ...fields }, delta({}, 'stop')])
    expect([ended.status, text]).toEqual(['completed', 'Hi'])
  })
})

describe('reasoning', () => {
  const details = (...entries: object[]) => ({ reasoning_details: entries })
  it.each([
    ['under two names', [{ reasoning_content: 'Hm', reasoning: 'Hm' }, { reasoning_content: '', reasoning: '.' }]],
    ['in details', [details({ type: 'reasoning.text', text: 'Hm' }), details({ type: 'reasoning.summary', summary: '.' })]],
    ['in details beside it', [{ reasoning: 'Hm', ...details({ type: 'reasoning.text', text: 'Hm' }) }, { reasoning: '.' }]],
    ['with what is encrypted', [details({ type: 'reasoning.encrypted', data: 'x' }), { reasoning: 'Hm.' }]],
    ['as an object', [{ reasoning: { content: 'Hm' } }, { reasoning: { text: '.' } }]],
  ])('is read once: %s', async (_name, deltas) => {
    const { thought } = await run([...deltas.map((fields) => delta(fields)), delta({ content: 'So' }, 'stop')])
    expect(thought).toEqual(['Hm.'])
  })
})

it('keep-alives, empty frames and what is between are no answer', async () => {
  const frames = [
    ': OPENROUTER PROCESSING\n\n: OPENROUTER PROCESSING\n\n',
    toSse([delta({ content: 'Hel' })]),
    ': OPENROUTER PROCESSING\n\nevent: ping\n\n',
    toSse([{ choices: [] }, { usage: { total_tokens: 4 } }, delta({ content: 'lo' }, 'stop'), '[DONE]']),
  ]
  const { text, run: ended } = await run(streamText(frames.join(''), 7))
  expect(text).toBe('Hello')
  expect(ended.usage?.totalTokens).toBe(4)
})
