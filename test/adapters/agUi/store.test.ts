import { createMemoryAgentCheckpointStorage } from 'redux-agent'
import { createGate } from 'redux-agent/testing'
import { describe, expect, it } from 'vitest'
import { expectSilentConsole } from '../../store/createHarness.ts'
import { json, streamText } from '../openAI/createWire.ts'
import { openPage } from './openPage.ts'
import { approvalsOf, byId, called, finished, interrupted, said, started, textOf } from './runAgUi.ts'

expectSilentConsole()

const result = (toolCallId: string, content = 'ok') => ({
  type: 'TOOL_CALL_RESULT',
  messageId: `${toolCallId}-m`,
  toolCallId,
  content,
})
const interrupt = (toolCallId: string) => ({ id: `i-${toolCallId}`, reason: 'tool_call', toolCallId })
const call = called('t1', 'send', '{"to":"a"}')
const asking = [started(), ...said('m1', 'May I?'), ...call, interrupted([interrupt('t1')])]
const after = [started('r2'), result('t1'), ...said('m2', 'Done', '.'), finished('r2')]

describe('an AG-UI agent in a store', () => {
  it('asks, is answered, and goes on in the same run: approved, denied and edited', async () => {
    const cases = [
      ['approved', undefined, { approved: true }, 'completed'],
      ['rejected', undefined, { approved: false }, 'cancelled'],
      ['modified', { to: 'b' }, { approved: true, editedArgs: { to: 'b' } }, 'completed'],
    ] as const
    for (const [decision, data, payload, toolStatus] of cases) {
      const page = openPage([asking, after])
      await page.start().unwrap()
      expect(page.connection('r1')).toMatchObject({ state: 'idle', detached: false })
      expect(page.state().runs.r1?.status).toBe('running')
      await page.resolve('i-t1', decision, data)
      await page.rest()
      expect(page.wire.sent).toHaveLength(2)
      expect(page.wire.sent[1]!.body.resume).toMatchObject([{ interruptId: 'i-t1', payload }])
      expect(approvalsOf(page.state())).toEqual({ 'i-t1': decision })
      expect(byId(page.state().toolCalls).t1?.status).toBe(toolStatus)
      expect(textOf(page.state())).toEqual(['May I?', 'Done.'])
      expect(page.state().runs.r1?.status).toBe('completed')
      expect(page.state().issues).toEqual([])
      expect(page.commands()).toMatchObject([{ status: 'succeeded' }])
      expect(page.connection('r1')?.state).toBe('idle')
    }
  })

  it('is answered after a reload, with the conversation as it was', async () => {
    const storage = createMemoryAgentCheckpointStorage()
    const before = openPage([asking], { storage })
    await before.open()
    await before.start().unwrap()
    before.hide()
    await before.rest()

    const page = openPage([after], { storage, ids: ['c1'] })
    await page.open()
    await page.rest()
    expect(approvalsOf(page.state())).toEqual({ 'i-t1': 'waiting' })
    expect(page.wire.sent).toEqual([])
    expect(page.connection('r1')?.state).toBe('idle')
    await page.resolve('i-t1')
    await page.rest()
    expect(page.wire.sent[0]!.body).toMatchObject({
      messages: [{ id: 'q1' }, { id: 'm1' }, { id: 't1' }],
      resume: [{ interruptId: 'i-t1' }],
    })
    expect(textOf(page.state())).toEqual(['May I?', 'Done.'])
    expect(page.state().runs.r1?.status).toBe('completed')
    expect(page.state().issues).toEqual([])
  })

  it('waits for all its answers; what was given before a reload is kept, for the person to confirm', async () => {
    const three = ['t1', 't2', 't3']
    const stream = [started(), ...three.flatMap((id) => called(id, 'send')), interrupted(three.map(interrupt))]
    const rest = [started('r2'), ...three.map((id) => result(id)), finished('r2')]
    const storage = createMemoryAgentCheckpointStorage()
    const before = openPage([stream], { storage, ids: ['r1', 'c1', 'c2'] })
    await before.open()
    await before.start().unwrap()
    await before.resolve('i-t1')
    await before.resolve('i-t2', 'modified', { a: 2 })
    expect(before.commands().map(({ status }) => status)).toEqual(['succeeded', 'succeeded'])
    expect(approvalsOf(before.state())).toEqual({ 'i-t1': 'waiting', 'i-t2': 'waiting', 'i-t3': 'waiting' })
    expect(before.wire.sent).toHaveLength(1)
    before.hide()
    await before.rest()

    const page = openPage([rest], { storage, ids: ['c3'] })
    await page.open()
    await page.rest()
    const drafts = page.commands()
    expect(drafts.map(({ command }) => command.payload)).toMatchObject([
      { approvalId: 'i-t1', decision: 'approved' },
      { approvalId: 'i-t2', decision: 'modified', data: { a: 2 } },
    ])
    expect(drafts.map(({ error }) => error?.code)).toEqual(['interrupted', 'interrupted'])
    await page.resolve('i-t3', 'rejected')
    expect(page.wire.sent).toEqual([])
    await page.resolve('i-t1')
    await page.resolve('i-t2', 'modified', { a: 2 })
    await page.rest()
    expect(page.wire.sent).toHaveLength(1)
    expect(page.wire.sent[0]!.body.resume).toMatchObject([
      { interruptId: 'i-t1', payload: { approved: true } },
      { interruptId: 'i-t2', payload: { editedArgs: { a: 2 } } },
      { interruptId: 'i-t3', payload: { approved: false } },
    ])
    expect(approvalsOf(page.state())).toEqual({ 'i-t1': 'approved', 'i-t2': 'modified', 'i-t3': 'rejected' })
    expect(page.state().runs.r1?.status).toBe('completed')
    expect(page.state().issues).toEqual([])
  })

  it('that does not take an answer leaves the question open, and the command may go again', async () => {
    const page = openPage([asking, json({}, 500), after])
    await page.start().unwrap()
    await expect(page.resolve('i-t1')).rejects.toMatchObject({ code: 'http_status' })
    expect(approvalsOf(page.state())).toEqual({ 'i-t1': 'waiting' })
    expect(page.commands()).toMatchObject([{ status: 'failed', error: { retryable: true } }])
    await page.resolve('i-t1')
    await page.rest()
    expect(page.state().runs.r1?.status).toBe('completed')
    expect(page.wire.sent.slice(1).map(({ headers }) => headers.get('idempotency-key'))).toEqual(
      Array(2).fill(page.wire.sent[1]!.headers.get('idempotency-key')),
    )
  })

  it('is lost for good where its stream breaks and it cannot resume, with the words that came', async () => {
    const page = openPage([asking.slice(0, 3)])
    await page.start()
    await page.rest()
    expect(page.state().runs.r1).toMatchObject({ status: 'failed', error: { code: 'incomplete' } })
    expect(textOf(page.state())).toEqual(['May I?'])
    expect(page.connection('r1')).toMatchObject({ state: 'failed' })
    expect(page.state().issues).toEqual([])
  })

  it('also in the middle of an answer', async () => {
    const page = openPage([asking, after.slice(0, 4)])
    await page.start().unwrap()
    await page.resolve('i-t1')
    await page.rest()
    expect(page.state().runs.r1).toMatchObject({ status: 'failed', error: { code: 'incomplete' } })
    expect(textOf(page.state())).toEqual(['May I?', 'Done'])
    expect(page.state().issues).toEqual([])
  })

  it('is taken up where the app says how, also in the stream of an answer, with a fresh token', async () => {
    const frames = (events: readonly object[], from: number) =>
      streamText(events.map((event, index) => `id: ${from + index}\ndata: ${JSON.stringify(event)}\n\n`).join(''))
    let token = 0
    const page = openPage(
      [
        frames(asking.slice(0, 3), 1),
        frames(asking.slice(3), 4),
        frames(after.slice(0, 4), 20),
        frames(after.slice(4), 24),
      ],
      {
        headers: async () => ({ authorization: `Bearer ${(token += 1)}` }),
        resume: { request: ({ runId, cursor }) => ({ url: `/runs/${runId}?after=${cursor}` }) },
      },
    )
    const run = page.start()
    await page.rest()
    expect(page.connection('r1')?.state).toBe('reconnecting')
    page.fireAllTimers()
    await run
    expect(approvalsOf(page.state())).toEqual({ 'i-t1': 'waiting' })
    await page.resolve('i-t1')
    await page.rest()
    expect(page.connection('r1')?.state).toBe('reconnecting')
    page.fireAllTimers()
    await page.rest()
    expect(page.wire.sent.map(({ url }) => url)).toEqual(['/run', '/runs/r1?after=3', '/run', '/runs/r2?after=23'])
    expect(page.wire.sent.map(({ headers }) => headers.get('authorization'))).toEqual(
      [1, 2, 3, 4].map((number) => `Bearer ${number}`),
    )
    expect(textOf(page.state())).toEqual(['May I?', 'Done.'])
    expect(page.state().runs.r1?.status).toBe('completed')
    expect(page.state().issues).toEqual([])
  })

  it('is cancelled by the app’s endpoint while it streams, and says nothing more', async () => {
    let push: (event: object) => void = () => undefined
    const live = new Response(
      new ReadableStream<Uint8Array>({
        start(controller) {
          const encoder = new TextEncoder()
          push = (event) => controller.enqueue(encoder.encode(`data: ${JSON.stringify(event)}\n\n`))
        },
      }),
      { headers: { 'content-type': 'text/event-stream' } },
    )
    // A body that is read cannot be cloned, as the wire of the other tests does.
    const sent: string[] = []
    const fetch = (async (url: string) => {
      sent.push(url)
      if (url === '/run') return live
      push({ type: 'TEXT_MESSAGE_CONTENT', messageId: 'm1', delta: ' late' })
      return json({})
    }) as typeof globalThis.fetch
    const page = openPage([], { fetch, stop: ({ runId }) => ({ url: `/stop/${runId}` }) })
    page.start()
    await page.rest()
    push(started('srv-1'))
    push({ type: 'TEXT_MESSAGE_START', messageId: 'm1' })
    push({ type: 'TEXT_MESSAGE_CONTENT', messageId: 'm1', delta: 'Well' })
    await page.rest()
    await page.store.dispatch(page.agent.actions.cancelRun({ runId: 'r1', reason: 'Enough.' })).unwrap()
    await page.rest()
    expect(sent).toEqual(['/run', '/stop/srv-1'])
    expect(page.state().runs.r1).toMatchObject({ status: 'cancelled', reason: 'Enough.' })
    expect(byId(page.state().messages).m1?.status).toBe('cancelled')
    expect(page.state().issues).toEqual([])
    expect(page.connection('r1')?.state).toBe('idle')
  })

  it('that breaks its stream off because it was stopped is cancelled, whichever word comes first', async () => {
    const last = [{ type: 'RUN_ERROR', message: 'Aborted.', code: 'abort' }, undefined]
    for (const word of last) {
      let controller: ReadableStreamDefaultController<Uint8Array> | undefined
      const push = (event: object) =>
        controller!.enqueue(new TextEncoder().encode(`data: ${JSON.stringify(event)}\n\n`))
      const body = new ReadableStream<Uint8Array>({ start: (own) => void (controller = own) })
      const gate = createGate()
      const fetch = (async (url: string) => {
        if (url === '/run') return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
        if (word) push(word)
        controller!.close()
        await gate.pass()
        return json({})
      }) as typeof globalThis.fetch
      const page = openPage([], { fetch, stop: () => ({ url: '/stop' }) })
      page.start()
      await page.rest()
      push(started())
      await page.rest()
      const cancel = page.store.dispatch(page.agent.actions.cancelRun({ runId: 'r1', reason: 'Enough.' }))
      await page.rest()
      gate.open()
      await cancel.unwrap()
      expect(page.state().runs.r1).toMatchObject({ status: 'cancelled', reason: 'Enough.' })
      expect(page.state().issues).toEqual([])
    }
  })

  it('keeps a conversation of several turns', async () => {
    const turn = (runId: string, text: string) => [started(runId), ...said(`m-${runId}`, text), finished(runId)]
    const page = openPage([turn('r1', 'One.'), turn('r2', 'Two.')], {
      ids: ['r1', 'r2'],
      createMessageId: undefined,
    })
    await page.start('First').unwrap()
    await page.start('Second').unwrap()
    expect((page.wire.sent[1]!.body.messages as { content: string }[]).map(({ content }) => content)).toEqual([
      'First',
      'One.',
      'Second',
    ])
  })
})
