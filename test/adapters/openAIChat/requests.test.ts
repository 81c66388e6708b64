import { agentEventTypes, createAgentEventFactory, replayAgentEvents, type AgentState } from 'redux-agent'
import { createOpenAIChatProvider, type OpenAIChatInput } from 'redux-agent/adapters/openai-chat'
import { validateAgentProviderCommands } from 'redux-agent/testing'
import { describe, expect, it } from 'vitest'
import { createHarness, expectSilentConsole } from '../../store/createHarness.ts'
import { collectRun } from '../openAI/collectRun.ts'
import { createWire, type WireAnswers } from '../openAI/createWire.ts'

expectSilentConsole()

const answer = (text: string) => [{ choices: [{ index: 0, delta: { content: text }, finish_reason: 'stop' }] }]
const asks = (id: string) => [
  {
    choices: [
      {
        index: 0,
        delta: {
          content: 'Let me look.',
          tool_calls: [{ index: 0, id, function: { name: 'look', arguments: '{"a":1}' } }],
        },
        finish_reason: 'tool_calls',
      },
    ],
  },
]

/** Starts runs in one session of a real store, and gives the bodies that were sent. */
async function converse(
  answers: WireAnswers,
  inputs: readonly OpenAIChatInput[],
  options: Parameters<typeof createOpenAIChatProvider>[0] = {},
) {
  const wire = createWire(...answers)
  const provider = createOpenAIChatProvider({ ...options, fetch: wire.fetch })
  const harness = createHarness({ providers: [provider] })
  for (const input of inputs) {
    await harness.store.dispatch(harness.agent.actions.startRun({ sessionId: 's1', provider, input })).unwrap()
  }
  return { ...harness, sent: wire.sent, messages: wire.sent.map(({ body }) => body.messages) }
}

describe('a provider of chat completions', () => {
  it('says what it can do: no resume, no command', async () => {
    const provider = createOpenAIChatProvider()
    expect(provider).toMatchObject({
      id: 'openai-chat',
      protocol: { name: 'agent-event', version: '0.1' },
      capabilities: { transports: ['sse'], resumable: false },
    })
    expect(provider.capabilities.commands).toBeUndefined()
    expect(provider.executeCommand).toBeUndefined()
    expect(provider.transport.resume).toBeUndefined()
    expect(agentEventTypes).toEqual(expect.arrayContaining([...provider.capabilities.eventTypes]))
    expect(await validateAgentProviderCommands({ provider, commands: [] })).toEqual([])
    expect(createOpenAIChatProvider({ id: 'groq' }).id).toBe('groq')
  })

  it('asks at its URL, with headers that are fetched anew and what its options and the input say', async () => {
    let tokens = 0
    const tool = { type: 'function', function: { name: 'look' } }
    const { sent } = await converse(
      [answer('a')],
      [{ message: 'Hi' }, { message: 'Ho', model: 'big', tools: [], body: { seed: 1 } }],
      {
        baseUrl: 'https://proxy.example.com/v1/',
        model: 'small',
        instructions: 'Be brief.',
        tools: [tool],
        body: { temperature: 0, seed: 2 },
        headers: async () => ({ authorization: `Bearer ${(tokens += 1)}` }),
      },
    )
    expect(sent[0]!.url).toBe('https://proxy.example.com/v1/chat/completions')
    expect(sent[0]!.body).toEqual({
      model: 'small',
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Hi' },
      ],
      tools: [tool],
      stream: true,
      stream_options: { include_usage: true },
      temperature: 0,
      seed: 2,
    })
    expect(sent[1]!.body).toMatchObject({ model: 'big', seed: 1 })
    expect(sent[1]!.body.tools).toBeUndefined()
    expect(sent.map(({ headers }) => headers.get('authorization'))).toEqual(['Bearer 1', 'Bearer 2'])
    const plain = await converse([answer('a')], [{ message: 'Hi' }], { url: '/mine', includeUsage: false })
    expect(plain.sent[0]!.url).toBe('/mine')
    expect(plain.sent[0]!.body.stream_options).toBeUndefined()
  })

  it('sends one value of a header, the app’s, however the app spells its name', async () => {
    const headers = { 'Content-Type': 'application/vnd.proxy+json', Accept: 'text/event-stream;q=1' }
    const { sent } = await converse([answer('a')], [{ message: 'Hi' }], { headers })
    expect(sent[0]!.headers.get('content-type')).toBe('application/vnd.proxy+json')
    expect(sent[0]!.headers.get('accept')).toBe('text/event-stream;q=1')
  })
})

describe('the conversation of a request', () => {
  it('is built from the session, and goes on', async () => {
    const { messages } = await converse(
      [answer('First.'), answer('Second.')],
      [{ message: 'One?' }, { message: 'Two?' }],
    )
    expect(messages[1]).toEqual([
      { role: 'user', content: 'One?' },
      { role: 'assistant', content: 'First.' },
      { role: 'user', content: 'Two?' },
    ])
  })

  it('holds the pictures and files of a person’s message', async () => {
    const message = [
      { type: 'text', text: 'See' },
      { type: 'image', data: 'AAAA', mediaType: 'image/png' },
      { type: 'image', url: 'https://example.com/a.png' },
      { type: 'file', data: 'data:application/pdf;base64,BBBB', name: 'a.pdf' },
      { type: 'file', data: { fileId: 'file-1' } },
      { type: 'file', data: 'CCCC', mediaType: 'audio/wav' },
      { type: 'openai.video_url', data: { type: 'video_url', video_url: { url: 'v' } } },
      { type: 'other.kind', data: 1 },
      { type: 'image', data: 7 },
    ] as const
    const { messages } = await converse([answer('a')], [{ message }, { message: 'And?' }])
    const content = [
      { type: 'text', text: 'See' },
      { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
      { type: 'image_url', image_url: { url: 'https://example.com/a.png' } },
      { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,BBBB' } },
      { type: 'file', file: { file_id: 'file-1' } },
      { type: 'input_audio', input_audio: { data: 'CCCC', format: 'wav' } },
      { type: 'video_url', video_url: { url: 'v' } },
    ]
    expect(messages[0]).toEqual([{ role: 'user', content }])
    expect(messages[1]).toEqual([
      { role: 'user', content },
      { role: 'assistant', content: 'a' },
      { role: 'user', content: 'And?' },
    ])
  })

  it('holds the app’s answers to calls, also in later requests; calls without an answer are left out', async () => {
    const { messages, state } = await converse(
      [asks('a'), answer('It is 7.'), asks('a'), answer('Well.'), answer('End.')],
      [
        { message: 'How many?' },
        { toolResults: [{ toolCallId: 'a', result: { count: 7 } }] },
        { message: 'Again?' },
        { message: 'Never mind.' },
        { message: 'Bye.' },
      ],
    )
    const asked = {
      role: 'assistant',
      content: 'Let me look.',
      tool_calls: [{ id: 'a', type: 'function', function: { name: 'look', arguments: '{"a":1}' } }],
    }
    const first = [
      { role: 'user', content: 'How many?' },
      asked,
      { role: 'tool', tool_call_id: 'a', content: '{"count":7}' },
    ]
    expect(messages[1]).toEqual(first)
    expect(messages[4]).toEqual([
      ...first,
      { role: 'assistant', content: 'It is 7.' },
      { role: 'user', content: 'Again?' },
      { role: 'assistant', content: 'Let me look.' },
      { role: 'user', content: 'Never mind.' },
      { role: 'assistant', content: 'Well.' },
      { role: 'user', content: 'Bye.' },
    ])
    expect(state().issues).toEqual([])
  })

  it('holds the results of tools that another runtime ran, in their order', async () => {
    const events = createAgentEventFactory({ sessionId: 's1', runId: 'r0' })
    const initialState: AgentState = replayAgentEvents([
      events.create('run.started', {}),
      events.create('message.started', { messageId: 'q', role: 'user', content: 'Q' }),
      events.create('message.started', { messageId: 'm1', role: 'assistant', content: 'One.' }),
      events.create('tool.requested', { toolCallId: 't', name: 'look' }),
      events.create('tool.completed', { toolCallId: 't', result: 'seen' }),
      events.create('message.started', {
        messageId: 'm2',
        role: 'assistant',
        content: [{ type: 'text', text: 'Two.' }],
      }),
    ])
    const { fetch, sent } = createWire(answer('a'))
    await collectRun(createOpenAIChatProvider({ fetch }), { input: { message: 'So?' }, initialState })
    expect(sent[0]!.body.messages).toEqual([
      { role: 'user', content: 'Q' },
      {
        role: 'assistant',
        content: 'One.',
        tool_calls: [{ id: 't', type: 'function', function: { name: 'look', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: 't', content: 'seen' },
      { role: 'assistant', content: 'Two.' },
      { role: 'user', content: 'So?' },
    ])
  })

  it('gives reasoning back where the service wants it', async () => {
    const thinks = [
      { choices: [{ index: 0, delta: { reasoning_content: 'Hm.', content: 'a' }, finish_reason: 'stop' }] },
    ]
    const inputs = [{ message: 'One?' }, { message: 'Two?' }]
    const wanted = await converse([thinks], inputs, { reasoningField: 'reasoning_content' })
    expect((wanted.messages[1] as object[])[1]).toEqual({ role: 'assistant', content: 'a', reasoning_content: 'Hm.' })
    const plain = await converse([thinks], inputs)
    expect((plain.messages[1] as object[])[1]).toEqual({ role: 'assistant', content: 'a' })
  })

  it('is the app’s own where it gives one, whose last message is shown', async () => {
    const own = [
      { role: 'developer', content: 'Be brief.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Hi' },
          { type: 'image_url', image_url: { url: 'u' } },
          { type: 'file', file: { file_data: 'data:,x', filename: 'x' } },
          { type: 'input_audio', input_audio: {} },
        ],
      },
    ]
    const { messages, state } = await converse([answer('a')], [{ messages: own }], { instructions: 'Not said.' })
    expect(messages[0]).toEqual(own)
    expect(Object.values(state().messages)[0]).toMatchObject({
      role: 'user',
      content: [
        { type: 'text', text: 'Hi' },
        { type: 'image', url: 'u' },
        { type: 'file', url: 'data:,x', name: 'x' },
        { type: 'openai.input_audio', data: { type: 'input_audio', input_audio: {} } },
      ],
    })
    const last = await converse([answer('a')], [{ messages: [{ role: 'system', content: 'Say hi.' }] }])
    expect(Object.values(last.state().messages).map(({ role }) => role)).toEqual(['assistant'])
  })
})

describe('a lost stream, in a store', () => {
  it('is a failed run whose connection says so, and the conversation goes on', async () => {
    const cut = [{ choices: [{ index: 0, delta: { content: 'So f' } }] }]
    const { state, sent, connections, messages } = await converse(
      [cut, answer('b')],
      [{ message: 'One?' }, { message: 'Two?' }],
    )
    expect(connections().slice(0, 2)).toEqual(['connected', 'failed'])
    expect(Object.values(state().runs).map(({ status }) => status)).toEqual(['failed', 'completed'])
    expect(sent).toHaveLength(2)
    expect((messages[1] as object[])[1]).toEqual({ role: 'assistant', content: 'So f' })
  })
})
