import { toAgUiMessages } from 'redux-agent/adapters/ag-ui'
import { describe, expect, it } from 'vitest'
import { play, toolResult } from './playAgUi.ts'
import { byId, called, createConversation, finished, said, started, textOf } from './runAgUi.ts'

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
      toolResult('t'),
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
      toolResult('a', '{"error":{"message":"No."}}'),
      toolResult('b', '{"status":"error"}'),
      toolResult('c', '{"status":"stopped"}'),
      toolResult('d', 'fine', { metadata: { error: 'Bad.' } }),
      toolResult('e', '{"error":null,"data":1}'),
      toolResult('f', '{"error": not json'),
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
    const own = await play([...called('a', 'search'), toolResult('a', 'NOPE'), finished()], {
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
          messages: [
            ...messages,
            { id: 'q2', role: 'user', content: 'Go on' },
            { id: 'm2', role: 'assistant', content: 'And so' },
          ],
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
