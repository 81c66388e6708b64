import type { AgentState } from 'redux-agent'
import { createAgUiProvider, fromAgUiObservable, toAgUiMessages } from 'redux-agent/adapters/ag-ui'
import { validateAgentProviderEvents } from 'redux-agent/testing'
import { describe, expect, it } from 'vitest'
import { byId, called, createConversation, finished, interrupted, said, started, textOf } from './runAgUi.ts'
import type { AgUiProviderOptions } from 'redux-agent/adapters/ag-ui'

const result = (toolCallId: string, content: unknown = 'ok', more: object = {}) => ({
  type: 'TOOL_CALL_RESULT',
  messageId: `${toolCallId}-m`,
  toolCallId,
  content,
  ...more,
})

/** Runs one stream, which must keep the contract. */
async function play(events: readonly object[], options: Partial<AgUiProviderOptions> = {}) {
  const chat = createConversation([[started(), ...events]], options)
  const failures = await chat.run()
  expect(failures).toEqual([])
  expect(chat.state().issues).toEqual([])
  if (chat.state().runs.r1?.status !== 'running') {
    expect(validateAgentProviderEvents(chat.provider.capabilities, chat.events)).toEqual([])
  }
  return chat
}

describe('an AG-UI provider', () => {
  it('says what it can do: it cannot resume or cancel where the app does not say how', () => {
    expect(createAgUiProvider({ url: '/a' }).capabilities).toMatchObject({
      transports: ['sse'],
      commands: ['approval.resolve'],
      resumable: false,
    })
    const able = createAgUiProvider({ url: '/a', stop: () => ({ url: '/stop' }), resume: { request: () => ({ url: '/' }) } })
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
      r2: { status: 'failed', error: { code: 'open_interrupts', message: expect.stringContaining('Answer or decline') } },
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
        result('t1', '{"hits": 2}'),
        result('t2', '{"error":"down"}'),
        result('t3', [{ type: 'text', text: 'seen' }]),
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
      [started(), ...said('__proto__', 'a'), ...called('constructor', 'x'), result('constructor'), finished()],
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

describe('opaque reasoning', () => {
  it('of which nothing else came is redacted reasoning; what came early waits for its message', async () => {
    const chat = await play([
      { type: 'REASONING_START', messageId: 'span' },
      { type: 'REASONING_ENCRYPTED_VALUE', subtype: 'message', entityId: 'span', encryptedValue: 'A' },
      { type: 'REASONING_END', messageId: 'span' },
      { type: 'REASONING_ENCRYPTED_VALUE', subtype: 'message', entityId: 'm1', encryptedValue: 'B' },
      ...said('m1', 'Hi.'),
      finished(),
    ])
    expect(Object.values(chat.state().reasoning)).toMatchObject([{ id: 'span', redacted: true, content: '' }])
    expect(toAgUiMessages(chat.state()).slice(1)).toEqual([
      { id: 'span', role: 'reasoning', content: '', encryptedValue: 'A' },
      { id: 'm1', role: 'assistant', content: 'Hi.', encryptedValue: 'B' },
    ])
  })

  it('reasoning by chunks', async () => {
    const chat = await play([
      { type: 'REASONING_MESSAGE_CHUNK', messageId: 'r', delta: 'One ' },
      { type: 'REASONING_MESSAGE_CHUNK', delta: 'two.' },
      { type: 'TEXT_MESSAGE_CHUNK', messageId: 'm', delta: 'So.' },
      { type: 'TOOL_CALL_CHUNK', toolCallId: 't', toolCallName: 'a', parentMessageId: 'm', delta: '{"x":' },
      { type: 'TOOL_CALL_CHUNK', delta: '1}' },
      result('t'),
      finished(),
    ])
    expect(Object.values(chat.state().reasoning)).toMatchObject([{ content: 'One two.', status: 'completed' }])
    expect(textOf(chat.state())).toEqual(['So.'])
    expect(byId(chat.state().toolCalls).t).toMatchObject({ arguments: '{"x":1}', parentId: 'm', status: 'completed' })
  })
})

describe('a tool call', () => {
  it('is the page’s where the page offers it, and runs on the server where it does not', async () => {
    const tools = [{ name: 'pick', description: 'Picks.' }]
    const stream = [...called('t1', 'pick'), ...called('t2', 'search'), finished()]
    const chat = await play(stream, { tools })
    expect(chat.events.filter(({ type }) => type === 'tool.running').map(({ payload }) => payload)).toEqual([
      { toolCallId: 't2' },
    ])
    expect(chat.state().runs.r1?.status).toBe('running')
    expect(Object.values(chat.state().approvals)).toMatchObject([
      { id: 'result:t1', toolCallId: 't1', status: 'waiting', meta: { agUi: { kind: 'tool' } } },
    ])
    const named = await play(stream, { getToolOwner: (name) => (name === 'search' ? 'client' : 'server') })
    expect(Object.values(named.state().approvals)).toMatchObject([{ toolCallId: 't2' }])
    const stated = await play([
      ...called('t1', 'pick'),
      ...called('t2', 'search'),
      finished('r1', { outcome: { type: 'success', pendingToolCallIds: ['t2'] } }),
    ])
    expect(Object.values(stated.state().approvals)).toMatchObject([{ toolCallId: 't2' }])
  })

  it('that the server left without a result is cancelled, and not sent back', async () => {
    const chat = await play([...called('t1', 'search'), finished()], { getToolOwner: () => 'server' })
    expect(byId(chat.state().toolCalls).t1).toMatchObject({ status: 'cancelled' })
    expect(toAgUiMessages(chat.state())).toHaveLength(1)
  })

  it('has failed where its result says so, by what is in use, and by the app’s own word', async () => {
    const ids = ['a', 'b', 'c', 'd', 'e', 'f', 'g']
    const chat = await play([
      ...ids.flatMap((id) => called(id, 'search')),
      result('a', '{"error":{"message":"No."}}'),
      result('b', '{"status":"error"}'),
      result('c', '{"status":"stopped"}'),
      result('d', 'fine', { metadata: { error: 'Bad.' } }),
      result('e', '{"error":null,"data":1}'),
      result('f', '{"error": not json'),
      {
        type: 'MESSAGES_SNAPSHOT',
        messages: [{ id: 'g-m', role: 'tool', toolCallId: 'g', content: '', error: 'Late.' }],
      },
      finished(),
    ])
    expect(byId(chat.state().toolCalls)).toMatchObject({
      a: { status: 'failed', error: { message: 'No.' } },
      b: { status: 'failed' },
      c: { status: 'cancelled' },
      d: { status: 'failed', error: { message: 'Bad.', details: 'fine' } },
      e: { status: 'completed', result: '{"error":null,"data":1}' },
      f: { status: 'completed' },
      g: { status: 'failed', error: { message: 'Late.' } },
    })
    const own = await play([...called('a', 'search'), result('a', 'NOPE'), finished()], {
      classifyToolResult: ({ toolName, content }) =>
        content === 'NOPE' ? { status: 'failed', message: `${toolName} said no.` } : undefined,
    })
    expect(byId(own.state().toolCalls).a?.error).toMatchObject({ message: 'search said no.' })
  })
})

describe('tasks', () => {
  it('are steps, which may come again, and subagents', async () => {
    const step = (type: string, stepName: string, subagentRunId?: string) => ({ type, stepName, subagentRunId })
    const chat = await play([
      step('STEP_STARTED', 'plan'),
      step('STEP_FINISHED', 'plan'),
      step('STEP_STARTED', 'plan'),
      step('STEP_FINISHED', 'plan'),
      step('STEP_FINISHED', 'never began'),
      { type: 'SUBAGENT_STARTED', subagentRunId: 's1', name: 'Reader', description: 'Reads.' },
      step('STEP_STARTED', 'plan', 's1'),
      { type: 'SUBAGENT_FINISHED', subagentRunId: 's1', outcome: { type: 'suspended' } },
      { type: 'SUBAGENT_STARTED', subagentRunId: 's1', name: 'Reader' },
      step('STEP_FINISHED', 'plan', 's1'),
      { type: 'SUBAGENT_FINISHED', subagentRunId: 's1', result: { pages: 3 } },
      { type: 'SUBAGENT_STARTED', subagentRunId: 's1', name: 'Reader' },
      { type: 'SUBAGENT_ERROR', subagentRunId: 's1', message: 'Lost.', code: 'x' },
      step('STEP_STARTED', 'left open'),
      finished(),
    ])
    expect(byId(chat.state().tasks)).toMatchObject({
      'step::plan': { title: 'plan', status: 'completed' },
      'step::plan#2': { status: 'completed' },
      'subagent:s1': { title: 'Reader', description: 'Reads.', status: 'completed', result: { pages: 3 } },
      'step:s1:plan': { parentId: 'subagent:s1', status: 'completed' },
      'subagent:s1#2': { status: 'failed', error: { message: 'Lost.', code: 'x' } },
      'step::left open': { status: 'cancelled' },
    })
  })
})

describe('activities', () => {
  it('are artifacts that change by snapshots and patches', async () => {
    const activity = (content: object, more: object = {}) => ({
      type: 'ACTIVITY_SNAPSHOT',
      messageId: 'a1',
      activityType: 'PLAN',
      content,
      ...more,
    })
    const patch = (...operations: object[]) => ({ type: 'ACTIVITY_DELTA', messageId: 'a1', patch: operations })
    const chat = await play([
      { type: 'ACTIVITY_DELTA', messageId: 'unknown', activityType: 'PLAN', patch: [] },
      activity({ steps: [] }),
      patch({ op: 'add', path: '/steps/-', value: 'look' }),
      activity({ steps: ['ignored'] }, { replace: false }),
      finished(),
    ])
    expect(byId(chat.state().artifacts)).toMatchObject({
      'activity:a1': { name: 'PLAN', status: 'completed', content: { steps: ['look'] } },
    })
    const broken = await play([activity({}), patch({ op: 'remove', path: '/x' }), activity({ again: 1 }), finished()])
    expect(byId(broken.state().artifacts)).toMatchObject({
      'activity:a1': { status: 'failed', content: {} },
      'activity:a1#2': { status: 'completed', content: { again: 1 } },
    })
  })
})

describe('a snapshot of the messages', () => {
  const user = { id: 'q1', role: 'user', content: 'Hello' }

  it('brings what was not streamed, and not what was before this run’s question', async () => {
    const chat = await play([
      {
        type: 'MESSAGES_SNAPSHOT',
        messages: [
          { id: 'sys', role: 'system', content: 'Be brief.' },
          { id: 'old', role: 'assistant', content: 'Long ago.' },
          user,
          { id: 'think', role: 'reasoning', content: 'Hm.' },
          {
            id: 'm1',
            role: 'assistant',
            content: 'Look.',
            toolCalls: [{ id: 't1', type: 'function', function: { name: 'search', arguments: '{}' } }],
          },
          { id: 't1-m', role: 'tool', toolCallId: 't1', content: 'found' },
          { id: 'act', role: 'activity', activityType: 'PLAN', content: { a: 1 } },
          { id: 'm2', role: 'assistant', content: 'There.' },
        ],
      },
      finished(),
    ])
    expect(chat.state().order.map(({ kind, id }) => `${kind} ${id}`)).toEqual([
      'message q1',
      'reasoning think',
      'message m1',
      'tool t1',
      'artifact activity:act',
      'message m2',
    ])
    expect(byId(chat.state().toolCalls).t1).toMatchObject({ status: 'completed', result: 'found', parentId: 'm1' })
  })

  it('says nothing twice, however often it comes', async () => {
    const messages = [user, { id: 'm1', role: 'assistant', content: 'Hi there.' }]
    const snapshot = { type: 'MESSAGES_SNAPSHOT', messages }
    const chat = createConversation([
      [started(), snapshot, ...said('m1', 'x').slice(0, 0), snapshot, finished()],
      [
        started('r2'),
        { type: 'TEXT_MESSAGE_START', messageId: 'm2' },
        { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm2', delta: 'And ' },
        {
          type: 'MESSAGES_SNAPSHOT',
          messages: [...messages, { id: 'q2', role: 'user', content: 'Go on' }, { id: 'm2', role: 'assistant', content: 'And so' }],
        },
        { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm2', delta: ' on.' },
        { type: 'TEXT_MESSAGE_END', messageId: 'm2' },
        finished('r2'),
      ],
    ])
    await chat.run()
    await chat.run({ message: 'Go on' }, 'r2')
    expect(textOf(chat.state())).toEqual(['Hi there.', 'And so on.'])
    expect(chat.state().issues).toEqual([])
  })
})

describe('a run', () => {
  it('ends with its result and what it used', async () => {
    const chat = await play([
      ...said('m1', 'Hi.'),
      finished('r1', {
        result: { ok: true },
        usage: [
          { provider: 'a', inputTokens: 10, outputTokens: 1 },
          { inputTokens: 5, totalTokens: null },
        ],
      }),
    ])
    expect(chat.state().runs.r1).toMatchObject({
      status: 'completed',
      output: { ok: true },
      usage: { inputTokens: 15, outputTokens: 1 },
    })
  })

  it('fails by the runtime’s word, with all that is open', async () => {
    const chat = await play([
      { type: 'TEXT_MESSAGE_START', messageId: 'm1' },
      { type: 'REASONING_MESSAGE_START', messageId: 'x' },
      { type: 'TOOL_CALL_START', toolCallId: 't1', toolCallName: 'a' },
      { type: 'STEP_STARTED', stepName: 's' },
      { type: 'STATE_SNAPSHOT', snapshot: {} },
      { type: 'RUN_ERROR', message: '', code: 'E1' },
    ])
    expect(chat.state().runs.r1).toMatchObject({ status: 'failed', error: { code: 'E1' } })
    expect(byId(chat.state().toolCalls).t1).toMatchObject({ status: 'failed' })
  })

  it('tells an app of what has the runtime’s own name', async () => {
    const seen: unknown[] = []
    const chat = await play(
      [
        { type: 'CUSTOM', name: 'chart', value: { x: [1] } },
        { type: 'RAW', event: null, source: 'graph' },
        { type: 'CUSTOM', name: 'other', value: null },
        finished(),
      ],
      {
        mapCustom(event, create) {
          seen.push(event)
          if (event.name !== 'chart') return []
          const artifactId = 'chart'
          return [
            create('artifact.created', { artifactId, name: 'Chart', content: event.value }),
            create('artifact.completed', { artifactId }),
          ]
        },
      },
    )
    expect(seen).toEqual([
      { type: 'CUSTOM', name: 'chart', value: { x: [1] } },
      { type: 'RAW', name: 'graph', value: null },
      { type: 'CUSTOM', name: 'other', value: null },
    ])
    expect(byId(chat.state().artifacts).chart).toMatchObject({ content: { x: [1] }, status: 'completed' })
  })
})
