import { AgUiError } from 'redux-agent/adapters/ag-ui'
import { describe, expect, it } from 'vitest'
import { json } from '../openAI/createWire.ts'
import { begin, content, end, lostAfter, result, resume, withIds } from './hardCaseParts.ts'
import {
  approvalsOf,
  byId,
  called,
  createConversation,
  finished,
  interrupted,
  said,
  snapshot,
  started,
  textOf,
} from './runAgUi.ts'

const askAbout = (...toolCallIds: string[]) =>
  toolCallIds.map((toolCallId) => ({ id: `i-${toolCallId}`, reason: 'tool_call', toolCallId, message: 'May I?' }))

describe('the hard cases of AG-UI', () => {
  it('1: a replay of what is half held goes on where it is, and does not say it twice', async () => {
    const held = [started(), begin('m1'), content('m1', 'Hel')]
    const whole = [...held, content('m1', 'lo'), end('m1'), finished()]
    const chat = createConversation([withIds(held), withIds(whole)], resume('all'))
    chat.restore(await lostAfter(held))
    expect(await chat.resume('{"wireRunId":"r1","cursor":"3"}')).toMatchObject([{ code: 'incomplete' }])
    expect(textOf(chat.state())).toEqual(['Hel'])
    await chat.resume()
    expect(textOf(chat.state())).toEqual(['Hello'])
    expect(chat.state().runs.r1?.status).toBe('completed')
    expect(chat.state().issues).toEqual([])
  })

  it('1: a replay that says something else is right in the end', async () => {
    const chat = createConversation(
      [withIds([started(), begin('m1'), content('m1', 'Hallo'), end('m1'), finished()])],
      resume('all'),
    )
    chat.restore(await lostAfter([started(), begin('m1'), content('m1', 'Hel')]))
    await chat.resume('{"wireRunId":"r1","cursor":"3"}')
    expect(textOf(chat.state())).toEqual(['Hallo'])
  })

  it('1: a message that opens again by right goes on in a second one under the same id of the wire', async () => {
    const chat = createConversation([[started(), ...said('m1', 'one '), ...said('m1', 'more'), finished()]])
    await chat.run()
    expect(textOf(chat.state())).toEqual(['one ', 'more'])
    await chat.run({ message: 'Again' }, 'r2')
    expect((chat.sent[1]!.body.messages as { id: string; content: string }[])[1]).toEqual({
      id: 'm1',
      role: 'assistant',
      content: 'one more',
    })
  })

  it('2: a resume in the middle of a message goes on with it, if it is open here', async () => {
    const rest = [content('m1', 'lo'), end('m1'), finished()]
    const chat = createConversation([withIds(rest, 4)], resume())
    chat.restore(await lostAfter([started(), begin('m1'), content('m1', 'Hel')]))
    await chat.resume('{"wireRunId":"r1","cursor":"3"}')
    expect(textOf(chat.state())).toEqual(['Hello'])
    expect(chat.sent[0]).toMatchObject({ url: 'https://agent.example.com/runs/r1?after=3', method: 'GET' })

    const unknown = createConversation([withIds(rest, 4)], resume())
    unknown.restore(await lostAfter([started()]))
    const [failure] = await unknown.resume('{"wireRunId":"r1","cursor":"1"}')
    expect(failure).toMatchObject({ code: 'invalid_frame', message: expect.stringContaining('chunk 0') })
  })

  it('3: a result in a later run of the thread comes with its call', async () => {
    const chat = createConversation([
      [started(), ...called('t1', 'search'), finished('r1', { outcome: { type: 'success', pendingToolCallIds: [] } })],
      [started('r2'), ...said('m2', 'Found it.'), result('t1'), finished('r2')],
    ])
    await chat.run()
    expect(byId(chat.state().toolCalls).t1).toMatchObject({ status: 'cancelled' })
    await chat.run({ message: 'And?' }, 'r2')
    expect(chat.state().toolCalls['2:r2:t1']).toMatchObject({
      name: 'search',
      arguments: '{"a":1}',
      status: 'completed',
      result: '{"ok":true}',
    })
    expect(chat.state().issues).toEqual([])
  })

  it('4: a result before its call, twice, or of a call that nobody knows', async () => {
    const chat = createConversation([
      [
        started(),
        result('t1', 'early'),
        ...called('t1', 'search'),
        result('t1', 'late'),
        result('t9', 'odd'),
        finished(),
      ],
    ])
    await chat.run()
    expect(byId(chat.state().toolCalls)).toMatchObject({
      t1: { status: 'completed', result: 'early' },
      t9: { name: 'unknown', status: 'completed', result: 'odd' },
    })
    expect(chat.state().issues).toEqual([])
  })

  it('5: of three questions two are answered and the page is left: nothing is sent, then or by itself', async () => {
    const three = [started(), ...called('t1', 'a'), ...called('t2', 'b'), ...called('t3', 'c')]
    const first = createConversation([[...three, interrupted(askAbout('t1', 't2', 't3'))]])
    await first.run()
    expect(approvalsOf(first.state())).toEqual({ 'i-t1': 'waiting', 'i-t2': 'waiting', 'i-t3': 'waiting' })
    await first.resolve('i-t1')
    await first.resolve('i-t2', 'rejected')
    expect(first.sent).toHaveLength(1)
    const next = createConversation([[started('r2'), result('t1'), result('t2', 'no'), result('t3'), finished('r2')]])
    next.restore(first.state())
    await next.resolve('i-t3')
    expect(next.sent).toHaveLength(0)
    await next.resolve('i-t1')
    await next.resolve('i-t2', 'rejected')
    expect(next.sent).toHaveLength(1)
    expect(next.sent[0]!.body.resume).toMatchObject([
      { interruptId: 'i-t1', status: 'resolved', payload: { approved: true } },
      { interruptId: 'i-t2', status: 'resolved', payload: { approved: false } },
      { interruptId: 'i-t3', status: 'resolved', payload: { approved: true } },
    ])
    expect(approvalsOf(next.state())).toEqual({ 'i-t1': 'approved', 'i-t2': 'rejected', 'i-t3': 'approved' })
    expect(byId(next.state().toolCalls)).toMatchObject({
      t1: { status: 'completed' },
      t2: { status: 'cancelled', reason: 'no' },
      t3: { status: 'completed' },
    })
    expect(next.state().runs.r1?.status).toBe('completed')
  })

  it('6: the same answers have the same key and run, whoever sends them; another answer has others', async () => {
    const asked = [started(), ...called('t1', 'a'), interrupted(askAbout('t1'))]
    const tabs = await Promise.all(
      (['approved', 'approved', 'rejected'] as const).map(async (decision) => {
        const tab = createConversation([asked, [started('r2'), result('t1'), finished('r2')]])
        await tab.run()
        await tab.resolve('i-t1', decision)
        return tab.sent[1]!
      }),
    )
    const [one, same, other] = tabs.map(({ headers, body }) => ({
      key: headers.get('idempotency-key'),
      runId: body.runId,
      entry: (body.resume as { metadata: unknown }[])[0]!.metadata,
    }))
    expect(one!.key).toMatch(/^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
    expect(one!.runId).not.toBe('r1')
    expect(same).toEqual(one)
    expect(other!.key).not.toBe(one!.key)
    expect(other!.runId).not.toBe(one!.runId)
    expect(other!.entry).not.toEqual(one!.entry)
  })

  it('6: a second answer to what is answered is refused, and nothing is sent', async () => {
    const chat = createConversation([
      [started(), ...called('t1', 'a'), interrupted(askAbout('t1'))],
      [started('r2'), result('t1'), finished('r2')],
    ])
    await chat.run()
    await chat.resolve('i-t1')
    await expect(chat.resolve('i-t1')).rejects.toMatchObject({ code: 'refused', retryable: false })
    expect(chat.sent).toHaveLength(2)
  })

  it('7: where the answer cannot be sent the questions wait as before, and the same request may go again', async () => {
    const chat = createConversation([
      [started(), ...called('t1', 'a'), ...called('t2', 'b'), interrupted(askAbout('t1', 't2'))],
      json({ error: { code: 'down' } }, 500),
      [{ type: 'RUN_ERROR', message: 'busy', code: 'busy' }],
      [started('r2'), result('t1'), result('t2'), ...said('m1', 'Done.'), finished('r2')],
    ])
    await chat.run()
    await chat.resolve('i-t1')
    await expect(chat.resolve('i-t2')).rejects.toMatchObject({ code: 'http_status', retryable: true })
    await expect(chat.resolve('i-t2')).rejects.toThrow(AgUiError)
    expect(approvalsOf(chat.state())).toEqual({ 'i-t1': 'waiting', 'i-t2': 'waiting' })
    await chat.resolve('i-t2')
    expect(approvalsOf(chat.state())).toEqual({ 'i-t1': 'approved', 'i-t2': 'approved' })
    expect(textOf(chat.state())).toEqual(['Done.'])
    const keys = chat.sent.slice(1).map(({ headers }) => headers.get('idempotency-key'))
    expect(new Set(keys).size).toBe(1)
    expect(new Set(chat.sent.slice(1).map(({ body }) => JSON.stringify(body))).size).toBe(1)
  })

  it('8: what has expired can only be declined; a time that cannot be read does not pass', async () => {
    const at = (time: number) => ({ at: () => time })
    const ask = (id: string, expiresAt?: string) => ({ id, reason: 'confirmation', message: `${id}?`, expiresAt })
    const chat = createConversation([
      [started(), interrupted([ask('soon', '1970-01-01T00:00:02.000Z'), ask('odd', 'next Tuesday'), ask('never')])],
      [started('r2'), ...said('m1', 'Well.'), finished('r2')],
    ])
    await chat.run()
    expect(byId(chat.state().approvals)).toMatchObject({ soon: { expiresAt: 2000 }, odd: {}, never: {} })
    expect(byId(chat.state().approvals).odd).not.toHaveProperty('expiresAt')
    await chat.resolve('odd', 'approved', at(1000))
    await expect(chat.resolve('soon', 'approved', at(2000))).rejects.toMatchObject({ code: 'expired' })
    // What expired needs no answer any more: the last of the others sends them all.
    await chat.resolve('never', 'approved', at(2000))
    expect(chat.sent[1]!.body.resume).toMatchObject([
      { interruptId: 'soon', status: 'cancelled' },
      { interruptId: 'odd', status: 'resolved' },
      { interruptId: 'never', status: 'resolved' },
    ])
    expect(approvalsOf(chat.state())).toEqual({ soon: 'expired', odd: 'approved', never: 'approved' })
  })

  it('8: an expired question that is declined is given up', async () => {
    const chat = createConversation([
      [started(), interrupted([{ id: 'i', reason: 'confirmation', expiresAt: '1970-01-01T00:00:02.000Z' }])],
      [started('r2'), finished('r2')],
    ])
    await chat.run()
    await chat.resolve('i', 'rejected', { at: () => 5000 })
    expect(chat.sent[1]!.body.resume).toMatchObject([{ interruptId: 'i', status: 'cancelled' }])
    expect(approvalsOf(chat.state())).toEqual({ i: 'rejected' })
  })

  it('9: a replay that holds a question of the past does not ask it again', async () => {
    const past = [
      started(),
      ...called('t1', 'a'),
      interrupted(askAbout('t1')),
      started('r2', { input: { resume: [{ interruptId: 'i-t1', status: 'resolved', payload: { approved: true } }] } }),
      result('t1'),
      ...said('m1', 'Done.'),
      finished('r2'),
    ]
    const chat = createConversation([past])
    await chat.run()
    expect(approvalsOf(chat.state())).toEqual({ 'i-t1': 'approved' })
    expect(chat.state().runs.r1?.status).toBe('completed')

    const answered = createConversation([withIds(past.slice(0, 5)), withIds([...past, finished('r2')])], resume('all'))
    answered.restore(await lostAfter(past.slice(0, 7)))
    await answered.resume('{"wireRunId":"r1","cursor":"5"}')
    await answered.resume('{"wireRunId":"r1","cursor":"5"}')
    expect(approvalsOf(answered.state())).toEqual({ 'i-t1': 'approved' })
    expect(answered.state().runs.r1?.status).toBe('completed')
    expect(answered.state().issues).toEqual([])
  })

  it('10: a run that nobody asked for does not answer the question before it', async () => {
    const chat = createConversation([
      [
        started(),
        ...called('t1', 'a'),
        interrupted(askAbout('t1')),
        started('r9'),
        ...said('m9', 'By the way.'),
        finished('r9'),
      ],
    ])
    await chat.run()
    expect(approvalsOf(chat.state())).toEqual({ 'i-t1': 'waiting' })
    expect(chat.state().runs.r1?.status).toBe('running')
    expect(textOf(chat.state())).toEqual(['By the way.'])
  })

  it('10: nor does its failure', async () => {
    const chat = createConversation([
      [
        started(),
        interrupted([{ id: 'i', reason: 'confirmation' }]),
        started('r9'),
        { type: 'RUN_ERROR', message: 'x' },
      ],
    ])
    await chat.run()
    expect(approvalsOf(chat.state())).toEqual({ i: 'waiting' })
    expect(chat.state().runs.r1?.status).toBe('running')
  })

  it('11: a snapshot that gives a message another id keeps its place, its words and its calls', async () => {
    const chat = createConversation([
      [
        started(),
        begin('lc_run-1'),
        content('lc_run-1', 'Let me '),
        ...called('t1', 'search', '{"q":1}', { parentMessageId: 'lc_run-1' }),
        snapshot(
          { id: 'q1', role: 'user', content: 'Hello' },
          {
            id: 'resp_1',
            role: 'assistant',
            content: 'Let me look.',
            toolCalls: [{ id: 't1', type: 'function', function: { name: 'search', arguments: '{"q":1}' } }],
          },
        ),
        content('resp_1', ' One moment.'),
        end('resp_1'),
        result('t1'),
        finished(),
      ],
      [started('r2'), finished('r2')],
    ])
    await chat.run()
    expect(textOf(chat.state())).toEqual(['Let me look. One moment.'])
    expect(chat.state().order.map(({ id }) => id)).toEqual(['q1', 'lc_run-1', 't1'])
    expect(chat.state().issues).toEqual([])
    await chat.run({ message: 'More' }, 'r2')
    expect(chat.sent[1]!.body.messages).toMatchObject([
      { id: 'q1', role: 'user' },
      { id: 'resp_1', role: 'assistant', toolCalls: [{ id: 't1' }] },
      { id: 't1-result', role: 'tool' },
      { id: 'q2', role: 'user' },
    ])
  })

  it('11: a message that has ended keeps its row, and goes back under its new id', async () => {
    const chat = createConversation([
      [
        started(),
        ...said('lc_run-1', 'Hi.'),
        snapshot(
          { id: 'q1', role: 'user', content: 'Hello' },
          { id: 'resp_1', role: 'assistant', content: 'Hi.' },
        ),
        finished(),
      ],
    ])
    await chat.run()
    expect(textOf(chat.state())).toEqual(['Hi.'])
    await chat.run({ message: 'More' }, 'r2')
    expect(chat.sent[1]!.body.messages).toMatchObject([{ id: 'q1' }, { id: 'resp_1', content: 'Hi.' }, { id: 'q2' }])
  })

  it('12: the person’s message stands once, though a snapshot leaves it out or gives it another id', async () => {
    const chat = createConversation([
      [started(), snapshot(), ...said('m1', 'One.'), finished()],
      [started('r2'), snapshot({ id: 'srv-7', role: 'user', content: 'Again' }), ...said('m2', 'Two.'), finished('r2')],
    ])
    await chat.run()
    await chat.run({ message: 'Again' }, 'r2')
    const users = Object.values(chat.state().messages).filter(({ role }) => role === 'user')
    expect(users.map(({ content }) => content)).toEqual(['Hello', 'Again'])
    await chat.run({ message: 'Third' }, 'r3')
    expect((chat.sent[2]!.body.messages as { id: string }[]).map(({ id }) => id)).toEqual([
      'q1',
      'm1',
      'srv-7',
      'm2',
      'q3',
    ])
  })
})
