import { createAgentCommandFactory } from 'redux-agent'
import { createAgUiProvider } from 'redux-agent/adapters/ag-ui'
import { validateAgentProviderCommands, validateAgentProviderEvents } from 'redux-agent/testing'
import { describe, expect, it } from 'vitest'
import { createWire, json, streamText } from '../openAI/createWire.ts'
import {
  approvalsOf,
  byId,
  called,
  createConversation,
  finished,
  interrupted,
  loseAfter,
  said,
  started,
  textOf,
} from './runAgUi.ts'

const result = (toolCallId: string, content = 'ok') => ({
  type: 'TOOL_CALL_RESULT',
  messageId: `${toolCallId}-m`,
  toolCallId,
  content,
})
const tool = { id: 'i', reason: 'tool_call', toolCallId: 't1', message: 'Send it?' }
const after = [started('r2'), result('t1'), ...said('m2', 'Done.'), finished('r2')]
const asking = (interrupt: object) => [started(), ...called('t1', 'send', '{"to":"a"}'), interrupted([interrupt])]

describe('an answer to an interrupt', () => {
  it('shows what is asked, and the arguments to edit', async () => {
    const chat = createConversation([
      asking({ ...tool, expiresAt: '2030-01-01T00:00:00Z', responseSchema: { type: 'object' }, metadata: { a: null } }),
    ])
    await chat.run()
    expect(Object.values(chat.state().approvals)).toMatchObject([
      {
        id: 'i',
        toolCallId: 't1',
        status: 'waiting',
        description: 'Send it?',
        data: { to: 'a' },
        editable: true,
        expiresAt: Date.UTC(2030, 0, 1),
        meta: { agUi: { kind: 'interrupt', reason: 'tool_call', wireRunId: 'r1', metadata: { a: null } } },
      },
    ])
    expect(byId(chat.state().toolCalls).t1?.status).toBe('pending')
  })

  it('is said as most runtimes understand it', async () => {
    const input = { id: 'i', reason: 'input_required' }
    const cases: [object, Parameters<ReturnType<typeof createConversation>['resolve']>[1], unknown, object][] = [
      [tool, 'approved', undefined, { status: 'resolved', payload: { approved: true } }],
      [tool, 'rejected', undefined, { status: 'resolved', payload: { approved: false } }],
      [tool, 'rejected', 'Too soon.', { status: 'resolved', payload: { approved: false, reason: 'Too soon.' } }],
      [tool, 'modified', { to: 'b' }, { status: 'resolved', payload: { approved: true, editedArgs: { to: 'b' } } }],
      [input, 'modified', { name: 'Ann' }, { status: 'resolved', payload: { name: 'Ann' } }],
      [input, 'approved', 'yes', { status: 'resolved', payload: 'yes' }],
      [input, 'rejected', undefined, { status: 'cancelled' }],
      [{ id: 'i', reason: 'acme:odd' }, 'approved', undefined, { status: 'resolved', payload: { approved: true } }],
    ]
    for (const [interrupt, decision, data, expected] of cases) {
      const chat = createConversation([asking(interrupt), after])
      await chat.run()
      await chat.resolve('i', decision, { data })
      const [entry] = chat.sent[1]!.body.resume as { metadata: object }[]
      const { metadata, ...told } = entry!
      expect(told).toEqual({ interruptId: 'i', ...expected })
      expect(metadata).toEqual({ 'redux-agent': { key: expect.any(String) } })
      expect(approvalsOf(chat.state())).toEqual({ i: decision })
      expect(chat.state().runs.r1?.status).toBe('completed')
      expect(chat.state().issues).toEqual([])
      expect(validateAgentProviderEvents(chat.provider.capabilities, chat.events)).toEqual([])
    }
  })

  it('is said in the app’s own words, if it has some', async () => {
    const chat = createConversation([asking({ ...tool, metadata: { form: 7 } }), after], {
      toAnswer: ({ decision, metadata }) => ({ status: 'resolved', payload: { verdict: decision, metadata } }),
    })
    await chat.run()
    await chat.resolve('i')
    expect(chat.sent[1]!.body.resume).toMatchObject([{ payload: { verdict: 'approved', metadata: { form: 7 } } }])
  })

  it('goes out with the whole conversation, in a run of its own on the wire that is the same run here', async () => {
    const chat = createConversation([
      [
        started(),
        { type: 'STATE_SNAPSHOT', snapshot: { n: 2 } },
        ...said('m1', 'Hm.'),
        ...called('t1', 'send'),
        interrupted([tool]),
      ],
      after,
    ])
    await chat.run({ message: 'Hello', forwardedProps: { a: 1 }, tools: [{ name: 'pick', description: '' }] })
    await chat.resolve('i')
    expect(chat.sent[1]!.body).toMatchObject({
      threadId: 's1',
      state: { n: 2 },
      forwardedProps: { a: 1 },
      tools: [{ name: 'pick' }],
      messages: [
        { id: 'q1', role: 'user' },
        { id: 'm1', role: 'assistant' },
        { id: 't1', role: 'assistant', toolCalls: [{ id: 't1' }] },
      ],
    })
    expect(chat.sent[1]!.body.runId).not.toBe('r1')
    expect(chat.sent[1]!.headers.get('idempotency-key')).toBeTruthy()
    expect(Object.keys(chat.state().runs)).toEqual(['r1'])
    expect(textOf(chat.state())).toEqual(['Hm.', 'Done.'])
    expect(chat.events.filter(({ type }) => type === 'run.started' || type === 'tool.running')).toHaveLength(2)
  })

  it('may be followed by the next question, also under the same name', async () => {
    const chat = createConversation([
      asking(tool),
      [
        started('r2', { input: { resume: [{ interruptId: 'i', status: 'resolved' }] } }),
        result('t1'),
        ...called('t2', 'send'),
        interrupted([{ ...tool, toolCallId: 't2' }], 'r2'),
      ],
      [started('r3'), result('t2'), finished('r3', { usage: [{ inputTokens: 1 }] })],
    ])
    await chat.run()
    await chat.resolve('i')
    expect(approvalsOf(chat.state())).toEqual({ i: 'approved', 'i#2': 'waiting' })
    await chat.resolve('i#2', 'rejected')
    expect(chat.sent[2]!.body.resume).toMatchObject([{ interruptId: 'i', payload: { approved: false } }])
    const keys = chat.sent.slice(1).map(({ headers }) => headers.get('idempotency-key'))
    expect(new Set(keys).size).toBe(2)
    expect(chat.state().runs.r1).toMatchObject({ status: 'completed', usage: { inputTokens: 1 } })
    expect(byId(chat.state().toolCalls)).toMatchObject({ t1: { status: 'completed' }, t2: { status: 'cancelled' } })
    expect(chat.state().issues).toEqual([])
  })

  it('counts what each of the AG-UI runs used', async () => {
    const chat = createConversation([
      [started(), finished('r1', { outcome: { type: 'interrupt', interrupts: [tool] }, usage: [{ inputTokens: 3 }] })],
      [started('r2'), finished('r2', { usage: [{ inputTokens: 4, outputTokens: 1 }] })],
    ])
    await chat.run()
    await chat.resolve('i')
    expect(chat.state().runs.r1?.usage).toEqual({ inputTokens: 7, outputTokens: 1 })
  })

  it('may be followed by what was said before, said again: it stands once, and what is new is new', async () => {
    const chat = createConversation([
      [started(), ...said('m1', 'Let me ', 'see.'), ...said('m3', 'One'), ...called('t1', 'send'), interrupted([tool])],
      [
        started('r2'),
        ...said('m1', 'Let ', 'me see.'),
        ...said('m3', 'O', 'ther'),
        ...called('t1', 'send'),
        result('t1'),
        ...said('m1', 'Let me see.', ' So.'),
        finished('r2'),
      ],
    ])
    await chat.run()
    await chat.resolve('i')
    expect(textOf(chat.state())).toEqual(['Let me see.', 'One', 'Other', 'Let me see. So.'])
    expect(byId(chat.state().toolCalls).t1).toMatchObject({ arguments: '{"a":1}', status: 'completed' })
    expect(chat.state().issues).toEqual([])
    expect(validateAgentProviderEvents(chat.provider.capabilities, chat.events)).toEqual([])
  })

  it('that another tab has given shows by the result', async () => {
    const chat = createConversation([[...asking(tool), ...after]])
    await chat.run()
    expect(approvalsOf(chat.state())).toEqual({ i: 'approved' })
    expect(chat.state().runs.r1?.status).toBe('completed')
  })

  it('whose stream breaks is the run’s to lose: what it brought stands', async () => {
    const chat = createConversation([asking(tool), [started('r2'), ...said('m2', 'Do')]])
    await chat.run()
    await expect(chat.resolve('i')).rejects.toMatchObject({ code: 'incomplete', retryable: true })
    expect(approvalsOf(chat.state())).toEqual({ i: 'approved' })
    expect(textOf(chat.state())).toEqual(['Do'])
  })

  it('gives the cursor of its stream, so that a lost one is taken up as any other', async () => {
    const frames = (events: object[], from: number) =>
      streamText(events.map((event, index) => `id: ${from + index}\ndata: ${JSON.stringify(event)}\n\n`).join(''))
    const chat = createConversation(
      [frames(asking(tool), 1), frames(after.slice(0, 3), 50), frames(after.slice(3), 53)],
      { resume: { request: ({ runId, cursor }) => ({ url: `/runs/${runId}/${cursor}` }) } },
    )
    await chat.run()
    await expect(chat.resolve('i')).rejects.toMatchObject({ code: 'incomplete' })
    expect(await chat.resume()).toEqual([])
    expect(chat.sent[2]!.url).toBe('/runs/r2/52')
    expect(textOf(chat.state())).toEqual(['Done.'])
    expect(chat.state().runs.r1?.status).toBe('completed')
  })
})

describe('LangGraph’s old way to ask', () => {
  const ask = (value: unknown) => ({ type: 'CUSTOM', name: 'on_interrupt', value })

  it('is an approval, whose answer goes as the command that it takes', async () => {
    const chat = createConversation([
      [started(), ask('{"question":"Which one?","options":["a","b"]}'), finished()],
      [started('r2'), ...said('m', 'a it is.'), finished('r2')],
    ])
    await chat.run({ message: 'Hi', forwardedProps: { node: 'x' } })
    const [approval] = Object.values(chat.state().approvals)
    expect(approval).toMatchObject({
      status: 'waiting',
      description: 'Which one?',
      data: { question: 'Which one?', options: ['a', 'b'] },
      meta: { agUi: { kind: 'legacy' } },
    })
    await chat.resolve(approval!.id, 'modified', { data: 'a' })
    expect(chat.sent[1]!.body).not.toHaveProperty('resume')
    expect(chat.sent[1]!.body.forwardedProps).toEqual({ node: 'x', command: { resume: 'a' } })
    expect(chat.state().runs.r1?.status).toBe('completed')
  })

  it('is one question with the standard one that comes beside it', async () => {
    const chat = createConversation([[started(), ask('Sure?'), interrupted([{ id: 'i', reason: 'confirmation' }])]])
    await chat.run()
    expect(approvalsOf(chat.state())).toEqual({ i: 'waiting' })
  })

  it('may ask more than once; the answers go together, in order', async () => {
    const chat = createConversation([
      [started(), ask('One?'), ask({ message: 'Two?' }), ask(null), finished()],
      [started('r2'), finished('r2')],
    ])
    await chat.run()
    const ids = Object.keys(approvalsOf(chat.state()))
    expect(ids).toHaveLength(3)
    await chat.resolve(ids[0]!, 'approved', { data: 1 })
    await chat.resolve(ids[1]!, 'rejected')
    await chat.resolve(ids[2]!)
    expect(chat.sent).toHaveLength(2)
    expect(chat.sent[1]!.body.forwardedProps).toEqual({
      command: { resume: [1, { approved: false }, { approved: true }] },
    })
  })
})

describe('a tool of the page', () => {
  it('is answered with data, which goes as its message', async () => {
    const chat = createConversation([
      [started(), ...['t1', 't2', 't3', 't4'].flatMap((id) => called(id, 'pick')), finished()],
      [started('r2'), ...said('m', 'Thanks.'), finished('r2')],
      [started('r3'), finished('r3')],
    ])
    await chat.run()
    await chat.resolve('result:t4')
    await chat.resolve('result:t1', 'approved', { data: { colour: 'blue' } })
    await chat.resolve('result:t2', 'rejected')
    await chat.resolve('result:t3', 'modified', { data: 'as it is' })
    const told = (chat.sent[1]!.body.messages as { role: string; id: string }[]).filter(({ role }) => role === 'tool')
    expect(told).toMatchObject([
      { toolCallId: 't1', content: '{"colour":"blue"}' },
      { toolCallId: 't2', content: 'Declined.', error: 'Declined.' },
      { toolCallId: 't3', content: 'as it is' },
      { toolCallId: 't4', content: '' },
    ])
    expect(byId(chat.state().toolCalls)).toMatchObject({
      t1: { status: 'completed', result: { colour: 'blue' } },
      t2: { status: 'cancelled' },
      t3: { status: 'completed', result: 'as it is' },
    })
    expect(validateAgentProviderEvents(chat.provider.capabilities, chat.events)).toEqual([])
    // The next request says it again as it was said.
    await chat.run({ message: 'More' }, 'r3')
    const again = (chat.sent[2]!.body.messages as { role: string; id: string }[]).filter(({ role }) => role === 'tool')
    expect(again).toEqual(told)
  })

  it('beside interrupts waits for the run that goes on', async () => {
    const chat = createConversation([
      [started(), ...called('t1', 'send'), ...called('t2', 'pick'), interrupted([tool])],
      [started('r2'), result('t1'), finished('r2', { outcome: { type: 'success', pendingToolCallIds: ['t2'] } })],
      [started('r3'), finished('r3')],
    ])
    await chat.run()
    expect(approvalsOf(chat.state())).toEqual({ i: 'waiting' })
    await chat.resolve('i')
    expect(approvalsOf(chat.state())).toEqual({ i: 'approved', 'result:t2': 'waiting' })
    await chat.resolve('result:t2', 'approved', { data: 'x' })
    expect(chat.state().runs.r1?.status).toBe('completed')
  })
})

describe('a cancel', () => {
  const stop = ({ threadId, runId, reason }: { threadId: string; runId: string; reason?: string }) => ({
    url: `https://agent.example.com/stop/${threadId}/${runId}`,
    body: JSON.stringify({ reason }),
  })

  it('goes to the app’s endpoint with the run’s name on the wire, and is the fact once that answers', async () => {
    const begun = { type: 'TEXT_MESSAGE_START', messageId: 'm1' }
    const lost = await loseAfter([started('srv-1'), begun, ...called('t1', 'a')])
    const chat = createConversation([json({})], { stop, headers: { 'x-key': '1' } })
    chat.restore(lost.state())
    await chat.cancel('Enough.')
    expect(chat.sent).toMatchObject([
      { url: 'https://agent.example.com/stop/s1/r1', method: 'POST', body: { reason: 'Enough.' } },
    ])
    expect(chat.sent[0]!.headers.get('x-key')).toBe('1')
    expect(chat.state().runs.r1).toMatchObject({ status: 'cancelled', reason: 'Enough.' })
    expect(byId(chat.state().messages).m1?.status).toBe('cancelled')
    expect(byId(chat.state().toolCalls).t1?.status).toBe('cancelled')
    expect(chat.state().issues).toEqual([])
  })

  it('of a run that waits names the AG-UI run that asked, and closes its questions', async () => {
    const chat = createConversation([asking(tool), json({}), json({}, 500)], { stop })
    await chat.run()
    await chat.cancel()
    expect(approvalsOf(chat.state())).toEqual({ i: 'expired' })
    expect(chat.state().runs.r1?.status).toBe('cancelled')
    expect(chat.state().issues).toEqual([])
  })

  it('that the endpoint refuses is no fact', async () => {
    const chat = createConversation([asking(tool), json({}, 503)], { stop })
    await chat.run()
    await expect(chat.cancel()).rejects.toMatchObject({ code: 'http_status', status: 503, retryable: true })
    expect(chat.state().runs.r1?.status).toBe('running')
  })

  it('without an endpoint is not to be had', async () => {
    const chat = createConversation([asking(tool)])
    await chat.run()
    await expect(chat.cancel()).rejects.toMatchObject({ code: 'unsupported_capability' })
  })
})

it('keeps the contract of commands', async () => {
  const { fetch } = createWire(after, after, json({}))
  const provider = createAgUiProvider({ url: '/run', fetch, stop: () => ({ url: '/stop' }) })
  const commands = createAgentCommandFactory({ sessionId: 's1', runId: 'r1' })
  const approve = (approvalId: string) => commands.create('approval.resolve', { approvalId, decision: 'approved' })
  const others = [commands.create('tool.retry', { toolCallId: 't1' }), commands.create('run.cancel', {})]
  const samples = [approve('i'), approve('j'), ...others]
  expect(
    await validateAgentProviderCommands({
      provider,
      commands: samples.map((command) => ({ command, initialSequence: 4 })),
    }),
  ).toEqual([])
})
