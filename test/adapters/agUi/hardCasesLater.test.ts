import { describe, expect, it } from 'vitest'
import { begin, content, end, lostAfter, result, resume, withIds } from './hardCaseParts.ts'
import { byId, called, createConversation, finished, said, started, textOf } from './runAgUi.ts'

describe('the hard cases of AG-UI, from 13 on', () => {
  it('13: the first end stands, and what comes after it is no fault', async () => {
    const error = { type: 'RUN_ERROR', message: 'Late.', code: 'late' }
    const first = createConversation([[started(), ...said('m1', 'Hi.'), finished(), error]])
    expect(await first.run()).toEqual([])
    expect(first.state().runs.r1?.status).toBe('completed')
    const second = createConversation([[started(), begin('m1'), error, finished()]])
    expect(await second.run()).toEqual([])
    expect(second.state().runs.r1).toMatchObject({ status: 'failed', error: { message: 'Late.', code: 'late' } })
    for (const { events, state } of [first, second]) {
      expect(events.filter(({ type }) => /^run\.(completed|failed|cancelled)$/.test(type))).toHaveLength(1)
      expect(state().issues).toEqual([])
    }
  })

  it('14: what an old connection still brings is not the next run’s', async () => {
    const chat = createConversation([[started(), begin('m1'), content('m1', 'old'), finished()]])
    const { provider } = chat
    const context = (runId: string) => {
      const events = [] as string[]
      let sequence = -1
      const create = (type: string, payload: object) => {
        events.push(type)
        return { type, payload, runId, sequence: (sequence += 1) }
      }
      const factory = { create, getSequence: () => sequence } as never
      return { events, context: provider.createContext({ sessionId: 's1', runId, events: factory }) }
    }
    const one = context('r1')
    const two = context('r2')
    provider.start({ message: 'A' }, one.context)
    provider.start({ message: 'B' }, two.context)
    provider.transformChunk({ index: 0, data: begin('m1') }, one.context)
    provider.transformChunk({ index: 0, data: begin('m2') }, two.context)
    const late = provider.transformChunk({ index: 1, data: content('m1', 'late') }, one.context)
    expect(late).toMatchObject([{ runId: 'r1', payload: { messageId: 'm1' } }])
    // A chunk of the old connection that the new one never opened is none of its own.
    expect(() => provider.transformChunk({ index: 1, data: content('m1', 'x') }, two.context)).toThrow(/chunk 1/)
  })

  it('15: a stop in the middle of arguments keeps their text, and they are not sent back', async () => {
    const chat = createConversation([
      [
        started(),
        { type: 'TOOL_CALL_START', toolCallId: 't1', toolCallName: 'write' },
        { type: 'TOOL_CALL_ARGS', toolCallId: 't1', delta: '{"text":"Hal' },
        finished('r1', { outcome: { type: 'cancelled' } }),
      ],
    ])
    await chat.run()
    expect(chat.state().runs.r1?.status).toBe('cancelled')
    expect(byId(chat.state().toolCalls).t1).toMatchObject({ status: 'cancelled', arguments: '{"text":"Hal' })
    await chat.run({ message: 'Again' }, 'r2')
    expect(chat.sent[1]!.body.messages).toMatchObject([{ id: 'q1' }, { id: 'q2' }])
  })

  it('16: a cut, an end and a stop are three things', async () => {
    const words = [started(), begin('m1'), content('m1', 'Hi')]
    const cut = createConversation([words])
    expect(await cut.run()).toMatchObject([{ code: 'incomplete', retryable: true }])
    expect(cut.state().runs.r1).toMatchObject({ status: 'failed', error: { code: 'incomplete' } })
    expect(byId(cut.state().messages).m1).toMatchObject({ status: 'failed', content: 'Hi' })
    const whole = createConversation([[...words, finished()]])
    expect(await whole.run()).toEqual([])
    expect(whole.state().runs.r1?.status).toBe('completed')
    const stopped = createConversation([[...words, finished('r1', { outcome: { type: 'cancelled' } })]])
    await stopped.run()
    expect(stopped.state().runs.r1?.status).toBe('cancelled')
    expect(byId(stopped.state().messages).m1).toMatchObject({ status: 'cancelled' })
  })

  it('17: an answer goes to the run and thread that asked', async () => {
    const asked = [started(), ...called('t1', 'pick'), finished()]
    const chat = createConversation([asked, [started('r2'), finished('r2')]], {
      getThreadId: (sessionId) => `thread-of-${sessionId}`,
    })
    await chat.run()
    await chat.resolve('result:t1', 'approved', { data: 'blue' })
    expect(chat.sent[1]!.body).toMatchObject({
      threadId: 'thread-of-s1',
      messages: [{ id: 'q1' }, { role: 'assistant' }, { role: 'tool', toolCallId: 't1', content: 'blue' }],
    })
  })

  it('18: arguments in parallel, and subagents that speak at once', async () => {
    const chunk = (fields: object) => ({ type: 'TEXT_MESSAGE_CHUNK', ...fields })
    const args = (toolCallId: string, delta: string) => ({ type: 'TOOL_CALL_ARGS', toolCallId, delta })
    const call = (toolCallId: string) => ({ type: 'TOOL_CALL_START', toolCallId, toolCallName: 'a' })
    const chat = createConversation([
      [
        started(),
        call('t1'),
        call('t2'),
        args('t1', '{"a"'),
        args('t2', '{"b"'),
        args('t1', ':1}'),
        args('t2', ':2}'),
        result('t1'),
        result('t2'),
        chunk({ messageId: 'm1', delta: 'A' }),
        chunk({ messageId: 'm2', delta: 'X', subagentRunId: 'sub' }),
        chunk({ delta: 'B' }),
        chunk({ delta: 'Y', subagentRunId: 'sub' }),
        finished(),
      ],
    ])
    await chat.run()
    expect(byId(chat.state().toolCalls)).toMatchObject({ t1: { arguments: '{"a":1}' }, t2: { arguments: '{"b":2}' } })
    expect(textOf(chat.state())).toEqual(['AB', 'XY'])
    const untagged = createConversation([
      [started(), chunk({ messageId: 'm', delta: 'A', subagentRunId: 's' }), chunk({ delta: 'B' })],
    ])
    expect(await untagged.run()).toMatchObject([{ code: 'invalid_frame' }])
  })

  it('19: another event ends what a chunk without an id means; one with its id goes on', async () => {
    const chunk = (fields: object) => ({ type: 'TEXT_MESSAGE_CHUNK', ...fields })
    const between = { type: 'STATE_DELTA', delta: [{ op: 'add', path: '/a', value: 1 }] }
    const named = createConversation([
      [started(), chunk({ messageId: 'm1', delta: 'A' }), between, chunk({ messageId: 'm1', delta: 'B' }), finished()],
    ])
    await named.run()
    expect(textOf(named.state())).toEqual(['AB'])
    const unnamed = createConversation([
      [started(), chunk({ messageId: 'm1', delta: 'A' }), between, chunk({ delta: 'B' }), finished()],
    ])
    expect(await unnamed.run()).toMatchObject([{ code: 'invalid_frame', message: expect.stringContaining('chunk 3') }])
  })

  it('20: a change of state before any snapshot changes what was sent', async () => {
    const chat = createConversation([
      [started(), { type: 'STATE_DELTA', delta: [{ op: 'replace', path: '/n', value: 2 }] }, finished()],
      [started('r2'), { type: 'STATE_DELTA', delta: [{ op: 'add', path: '/b', value: true }] }, finished('r2')],
    ])
    await chat.run({ message: 'Hello', state: { n: 1, kept: null } })
    expect(chat.sent[0]!.body.state).toEqual({ n: 1, kept: null })
    expect(byId(chat.state().artifacts).state).toMatchObject({ status: 'completed', content: { n: 2, kept: null } })
    await chat.run({ message: 'Again' }, 'r2')
    expect(chat.sent[1]!.body.state).toEqual({ n: 2, kept: null })
    expect(chat.state().artifacts['2:r2:state']).toMatchObject({ content: { n: 2, kept: null, b: true } })
  })

  it('21: an empty delta is a sign of life, and no event', async () => {
    const lively = [content('m1', ''), content('m1', 'Hi'), content('m1', '')]
    const chat = createConversation([[started(), begin('m1'), ...lively, end('m1'), finished()]])
    await chat.run()
    expect(chat.events.filter(({ type }) => type === 'message.delta')).toHaveLength(1)
  })

  it('22: versions mixed: nulls, retired types, ends without ids, fields and types that are not known', async () => {
    const chat = createConversation([
      [
        { type: 'RUN_STARTED' },
        { type: 'THINKING_START', title: null },
        { type: 'THINKING_TEXT_MESSAGE_START' },
        { type: 'THINKING_TEXT_MESSAGE_CONTENT', delta: 'Hm.' },
        { type: 'THINKING_TEXT_MESSAGE_END' },
        { type: 'THINKING_END' },
        { type: 'TOOL_CALL_START', toolCallId: 't1', toolCallName: 'a', parentMessageId: null, seq: 4 },
        { type: 'TOOL_CALL_END', toolCallId: 't1', subagentRunId: null },
        { ...result('t1'), role: null },
        { type: 'SOMETHING_OF_2_0', anything: [1] },
        { type: 'TEXT_MESSAGE_START', messageId: 'm1', role: null, name: null },
        content('m1', 'Hi.'),
        end('m1'),
        { type: 'RUN_FINISHED', outcome: null, result: null },
      ],
    ])
    expect(await chat.run()).toEqual([])
    expect(Object.values(chat.state().reasoning)).toMatchObject([{ content: 'Hm.', status: 'completed' }])
    expect(textOf(chat.state())).toEqual(['Hi.'])
    expect(chat.state().runs.r1).toMatchObject({ status: 'completed' })
    const unknown = createConversation([[started(), finished('r1', { outcome: { type: 'suspended_by_2_0' } })]])
    await unknown.run()
    expect(unknown.events.at(-1)).toMatchObject({ type: 'run.completed', meta: { agUi: { unknownOutcome: true } } })
  })

  it('23: arguments and results of megabytes stand once', async () => {
    const large = 'x'.repeat(300_000)
    const chat = createConversation([
      [started(), ...called('t1', 'read', JSON.stringify({ large })), result('t1', large), finished()],
    ])
    await chat.run()
    expect(byId(chat.state().toolCalls).t1?.result).toHaveLength(300_000)
    expect(JSON.stringify(chat.events).length).toBeLessThan(650_000)
  })

  it('24: a context that is made and never used opens nothing', () => {
    const chat = createConversation([[started(), finished()]])
    chat.provider.createContext({ sessionId: 's1', runId: 'r1', events: {} as never })
    expect(chat.sent).toEqual([])
  })

  it('25: a replay says nothing anew: what is known makes no event', async () => {
    const step = { type: 'STEP_STARTED', stepName: 's' }
    const all = [started(), ...said('m1', 'Hi.'), ...called('t1', 'a'), result('t1'), step]
    const chat = createConversation([withIds([...all, finished()])], resume('all'))
    chat.restore(await lostAfter(all))
    const before = chat.events.length
    await chat.resume('{"wireRunId":"r1","cursor":"9"}')
    expect(chat.events.slice(before).map(({ type }) => type)).toEqual(['task.cancelled', 'run.completed'])
  })
})
