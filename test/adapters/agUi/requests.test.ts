import type { AgentState } from 'redux-agent'
import { createAgUiProvider, fromAgUiObservable, toAgUiMessages } from 'redux-agent/adapters/ag-ui'
import { validateAgentProviderEvents } from 'redux-agent/testing'
import { describe, expect, it } from 'vitest'
import { toolResult } from './playAgUi.ts'
import { called, createConversation, finished, interrupted, said, started } from './runAgUi.ts'

describe('an AG-UI provider', () => {
  it('says what it can do: it cannot resume or cancel where the app does not say how', () => {
    expect(createAgUiProvider({ url: '/a' }).capabilities).toMatchObject({
      transports: ['sse'],
      commands: ['approval.resolve'],
      resumable: false,
    })
    const able = createAgUiProvider({
      url: '/a',
      stop: () => ({ url: '/stop' }),
      resume: { request: () => ({ url: '/' }) },
    })
    expect(able.capabilities).toMatchObject({ commands: ['approval.resolve', 'run.cancel'], resumable: true })
    expect(createAgUiProvider({ transport: fromAgUiObservable(async function* () {}) }).capabilities).toMatchObject({
      transports: ['async-iterable'],
      resumable: false,
    })
  })
})

describe('a request', () => {
  it('holds all that servers of 1.0 and before ask for, and no null', async () => {
    const tools = [{ name: 'pick', description: 'Picks.', parameters: { type: 'object' } }]
    const chat = createConversation([[started(), finished()]], {
      tools: () => tools,
      context: [{ description: 'Page', value: 'home' }],
      initialState: { n: 0 },
      forwardedProps: { model: 'a', user: 1 },
      headers: async () => ({ authorization: 'Bearer t' }),
    })
    await chat.run({
      message: 'Hello',
      context: [{ description: 'Time', value: 'noon' }],
      forwardedProps: { model: 'b' },
    })
    expect(chat.sent[0]!.body).toEqual({
      threadId: 's1',
      runId: 'r1',
      protocolVersion: '1.0',
      messages: [{ id: 'q1', role: 'user', content: 'Hello' }],
      state: { n: 0 },
      tools,
      context: [
        { description: 'Page', value: 'home' },
        { description: 'Time', value: 'noon' },
      ],
      forwardedProps: { model: 'b', user: 1 },
    })
    expect(chat.sent[0]!.headers.get('accept')).toBe('text/event-stream')
    expect(chat.sent[0]!.headers.get('authorization')).toBe('Bearer t')
    const old = createConversation([[started(), finished()]], { protocolVersion: false })
    await old.run()
    expect(old.sent[0]!.body).not.toHaveProperty('protocolVersion')
    expect(old.sent[0]!.body).toMatchObject({ state: {}, tools: [], context: [], forwardedProps: {} })
  })

  it('carries images and files of the person’s message', async () => {
    const chat = createConversation([[started(), finished()]])
    await chat.run({
      message: [
        { type: 'text', text: 'What is this?' },
        { type: 'image', url: 'https://x.example/a.png', mediaType: 'image/png' },
        { type: 'image', url: 'data:image/gif;base64,R0lG' },
        { type: 'file', url: 'https://x.example/a.pdf', mediaType: 'application/pdf', name: 'a.pdf' },
        { type: 'file', data: 'UklG', mediaType: 'audio/wav' },
        { type: 'acme.note', data: { any: 1 } },
      ],
    })
    expect((chat.sent[0]!.body.messages as { content: unknown }[])[0]!.content).toEqual([
      { type: 'text', text: 'What is this?' },
      { type: 'image', source: { type: 'url', value: 'https://x.example/a.png', mimeType: 'image/png' } },
      { type: 'image', source: { type: 'data', value: 'R0lG', mimeType: 'image/gif' } },
      { type: 'document', source: { type: 'url', value: 'https://x.example/a.pdf', mimeType: 'application/pdf' } },
      { type: 'audio', source: { type: 'data', value: 'UklG', mimeType: 'audio/wav' } },
    ])
    // The message stands in state once, and not in the run's input as well.
    expect(chat.state().runs.r1?.input).toEqual({})
  })

  it('goes without a message, and without state to read', async () => {
    const chat = createConversation([[started(), finished()]])
    await chat.run({})
    expect(chat.sent[0]!.body.messages).toEqual([])
    const context = chat.provider.createContext({
      sessionId: 's1',
      runId: 'r7',
      events: { create: () => ({}), getSequence: () => 0 } as never,
    })
    chat.provider.start({ message: 'Hi', messageId: 'mine' }, context)
    expect(chat.provider.prepareRequest({ message: 'Hi' }, context).getInput().messages).toEqual([
      { id: 'mine', role: 'user', content: 'Hi' },
    ])
  })

  it('is not sent while the agent waits for answers elsewhere in the conversation', async () => {
    const chat = createConversation([[started(), interrupted([{ id: 'i', reason: 'confirmation' }])]])
    await chat.run()
    expect(await chat.run({ message: 'Never mind' }, 'r2')).toMatchObject([{ code: 'open_interrupts' }])
    expect(chat.sent).toHaveLength(1)
    expect(chat.state().runs).toMatchObject({
      r1: { status: 'running' },
      r2: {
        status: 'failed',
        error: { code: 'open_interrupts', message: expect.stringContaining('Answer or decline') },
      },
    })
  })
})

describe('the conversation, rebuilt', () => {
  const conversation = async () => {
    const chat = createConversation([
      [
        started(),
        { type: 'REASONING_START', messageId: 'm1' },
        { type: 'REASONING_MESSAGE_START', messageId: 'm1', role: 'reasoning' },
        { type: 'REASONING_MESSAGE_CONTENT', messageId: 'm1', delta: 'Hm.' },
        { type: 'REASONING_MESSAGE_END', messageId: 'm1' },
        { type: 'REASONING_ENCRYPTED_VALUE', subtype: 'message', entityId: 'm1', encryptedValue: 'SECRET1' },
        { type: 'REASONING_END', messageId: 'm1' },
        ...said('m1', 'I will look.'),
        ...called('t1', 'search', '{"q":1}', { parentMessageId: 'm1' }),
        { type: 'REASONING_ENCRYPTED_VALUE', subtype: 'tool-call', entityId: 't1', encryptedValue: 'SECRET2' },
        ...called('t2', 'search', '{"q":2}', { parentMessageId: 'm1' }),
        ...called('t3', 'alone'),
        toolResult('t1', '{"hits": 2}'),
        toolResult('t2', '{"error":"down"}'),
        toolResult('t3', [{ type: 'text', text: 'seen' }]),
        ...said('m2', 'Two hits.'),
        { type: 'REASONING_ENCRYPTED_VALUE', subtype: 'message', entityId: 'm2', encryptedValue: 'SECRET3' },
        { type: 'ACTIVITY_SNAPSHOT', messageId: 'act', activityType: 'PLAN', content: {} },
        finished(),
      ],
    ])
    expect(await chat.run()).toEqual([])
    expect(validateAgentProviderEvents(chat.provider.capabilities, chat.events)).toEqual([])
    return chat
  }
  const messages = [
    { id: 'q1', role: 'user', content: 'Hello' },
    { id: 'm1', role: 'reasoning', content: 'Hm.', encryptedValue: 'SECRET1' },
    {
      id: 'm1',
      role: 'assistant',
      content: 'I will look.',
      toolCalls: [
        { id: 't1', type: 'function', function: { name: 'search', arguments: '{"q":1}' }, encryptedValue: 'SECRET2' },
        { id: 't2', type: 'function', function: { name: 'search', arguments: '{"q":2}' } },
      ],
    },
    { id: 't1-m', role: 'tool', toolCallId: 't1', content: '{"hits": 2}' },
    { id: 't2-m', role: 'tool', toolCallId: 't2', content: '{"error":"down"}', error: 'down' },
    {
      id: 't3',
      role: 'assistant',
      toolCalls: [{ id: 't3', type: 'function', function: { name: 'alone', arguments: '{"a":1}' } }],
    },
    { id: 't3-m', role: 'tool', toolCallId: 't3', content: [{ type: 'text', text: 'seen' }] },
    { id: 'm2', role: 'assistant', content: 'Two hits.', encryptedValue: 'SECRET3' },
  ]

  it('is what the runtime said, under its ids, with what is opaque', async () => {
    const chat = await conversation()
    expect(toAgUiMessages(chat.state())).toEqual(messages)
    await chat.run({ message: 'More' }, 'r2')
    expect(chat.sent[1]!.body.messages).toEqual([...messages, { id: 'q2', role: 'user', content: 'More' }])
  })

  it('comes through storage unchanged', async () => {
    const chat = await conversation()
    expect(toAgUiMessages(JSON.parse(JSON.stringify(chat.state())) as AgentState)).toEqual(messages)
  })

  it('takes ids for ids', async () => {
    const chat = createConversation([
      [started(), ...said('__proto__', 'a'), ...called('constructor', 'x'), toolResult('constructor'), finished()],
    ])
    await chat.run()
    expect(toAgUiMessages(chat.state()).map(({ id }) => id)).toEqual([
      'q1',
      '__proto__',
      'constructor',
      'constructor-m',
    ])
    expect(chat.state().issues).toEqual([])
  })

  it('shows no opaque value as words', async () => {
    const chat = await conversation()
    const shown = [...Object.values(chat.state().messages), ...Object.values(chat.state().reasoning)]
    expect(JSON.stringify(shown.map(({ content }) => content))).not.toContain('SECRET')
  })
})
