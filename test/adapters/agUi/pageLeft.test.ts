import { createMemoryAgentCheckpointStorage } from 'redux-agent'
import type { AgUiProviderOptions } from 'redux-agent/adapters/ag-ui'
import { describe, expect, it } from 'vitest'
import { expectSilentConsole } from '../../store/createHarness.ts'
import { json } from '../openAI/createWire.ts'
import { openPage } from './openPage.ts'
import { toolResult } from './playAgUi.ts'
import { factsOf } from './playLegs.ts'
import { approvalsOf, byId, called, finished, interrupted, said, started, textOf } from './runAgUi.ts'

expectSilentConsole()

const ask = (toolCallId: string) => ({ id: `i-${toolCallId}`, reason: 'tool_call', toolCallId })
const frame = (event: object, id: number) => `id: ${id}\ndata: ${JSON.stringify(event)}\n\n`

/** A body that a test sends event by event. */
function openBody() {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined
  let id = 0
  let isCancelled = false
  const body = new ReadableStream<Uint8Array>({
    start: (own) => void (controller = own),
    cancel: () => void (isCancelled = true),
  })
  return {
    response: () => new Response(body, { headers: { 'content-type': 'text/event-stream' } }),
    push: (...events: object[]) => {
      for (const event of events) controller!.enqueue(new TextEncoder().encode(frame(event, (id += 1))))
    },
    close: () => controller!.close(),
    isCancelled: () => isCancelled,
  }
}

/** An agent whose streams a test sends, one for each request, in their order. */
function createAgent() {
  const bodies: ReturnType<typeof openBody>[] = []
  const sent: { url: string; body: Record<string, unknown> }[] = []
  const fetch = (async (url: string, init?: RequestInit) => {
    sent.push({ url, body: JSON.parse(typeof init?.body === 'string' ? init.body : '{}') as Record<string, unknown> })
    if (url.startsWith('/stop')) return json({})
    const body = openBody()
    bodies.push(body)
    return body.response()
  }) as typeof globalThis.fetch
  return { fetch, sent, bodies }
}

const first = [started(), ...said('m1', 'May ', 'I?'), ...called('t1', 'send', '{"to":"a"}'), ...called('t2', 'send'), interrupted([ask('t1'), ask('t2')])]
const second = [started('r2'), ...said('m1', 'May ', 'I?'), ...called('t1', 'send', '{"to":"a"}'), toolResult('t1'), toolResult('t2', 'No.'), ...said('m2', 'Do', 'ne'), { type: 'TOOL_CALL_CHUNK', toolCallId: 't3', toolCallName: 'look', delta: '{"a"' }, { type: 'TOOL_CALL_CHUNK', delta: ':1}' }, toolResult('t3'), finished('r2')]

describe.each(['after', 'all'] as const)('a page that is left in the middle of a stream (%s)', (replay) => {
  const resume: AgUiProviderOptions['resume'] = { replay, request: ({ runId, cursor }) => ({ url: `/again/${runId}/${cursor}` }) }

  /** Lets a run go through both AG-UI runs, and leaves the page after some chunks of one of them. */
  async function play(left?: { leg: number; cut: number }) {
    const storage = createMemoryAgentCheckpointStorage()
    const agent = createAgent()
    let page = openPage([], { storage, fetch: agent.fetch, resume, ids: ['r1', 'c1', 'c2'] })
    await page.open()
    void page.start()
    await page.rest()
    for (const [leg, events] of [first, second].entries()) {
      if (leg === 1) {
        void page.resolve('i-t2', 'rejected').catch(() => undefined)
        await page.rest()
        void page.resolve('i-t1', 'modified', { to: 'b' }).catch(() => undefined)
        await page.rest()
      }
      let rest = events
      if (left?.leg === leg) {
        agent.bodies.at(-1)!.push(...events.slice(0, left.cut))
        await page.rest()
        page.hide()
        await page.rest()
        page = openPage([], { storage, fetch: agent.fetch, resume, ids: ['c3', 'c4', 'c5'] })
        await page.open()
        await page.rest()
        rest = replay === 'after' ? events.slice(left.cut) : events
      }
      agent.bodies.at(-1)!.push(...rest)
      agent.bodies.at(-1)!.close()
      await page.rest()
    }
    return { page, agent }
  }

  it('takes up the run where it is, and it comes to what it would have', async () => {
    const whole = await play()
    expect(whole.page.state().runs.r1?.status).toBe('completed')
    expect(approvalsOf(whole.page.state())).toEqual({ 'i-t1': 'modified', 'i-t2': 'rejected' })
    expect(textOf(whole.page.state())).toEqual(['May I?', 'Done'])
    expect(byId(whole.page.state().toolCalls)).toMatchObject({ t1: { status: 'completed', arguments: '{"to":"a"}' }, t2: { status: 'cancelled' }, t3: { arguments: '{"a":1}' } })
    for (const [leg, events] of [first, second].entries()) {
      for (let cut = 1; cut < events.length; cut += 1) {
        const { page, agent } = await play({ leg, cut })
        const where = `AG-UI run ${leg}, chunk ${cut}`
        expect(agent.sent.map(({ url }) => url.split('/')[1]), where).toEqual(leg === 0 ? ['run', 'again', 'run'] : ['run', 'run', 'again'])
        expect(factsOf(page.state()), where).toEqual(factsOf(whole.page.state()))
      }
    }
  })
})

it('a page that is left in the stream of an answer that cannot be taken up is told so, and the conversation goes on', async () => {
  const storage = createMemoryAgentCheckpointStorage()
  const agent = createAgent()
  const before = openPage([], { storage, fetch: agent.fetch, ids: ['r1', 'c1', 'c2'] })
  await before.open()
  void before.start()
  await before.rest()
  agent.bodies[0]!.push(...first)
  agent.bodies[0]!.close()
  await before.rest()
  void before.resolve('i-t1').catch(() => undefined)
  await before.rest()
  void before.resolve('i-t2').catch(() => undefined)
  await before.rest()
  agent.bodies[1]!.push(...second.slice(0, 3))
  await before.rest()
  before.hide()
  await before.rest()
  const page = openPage([], { storage, fetch: agent.fetch, ids: ['r9'], createMessageId: () => 'q9' })
  await page.open()
  await page.rest()
  expect(page.connection('r1')).toMatchObject({ state: 'unrecoverable', canResume: false })
  expect(approvalsOf(page.state())).toEqual({ 'i-t1': 'approved', 'i-t2': 'approved' })
  void page.start('And?')
  await page.rest()
  agent.bodies[2]!.push(started('r9'), ...said('m9', 'Here.'), finished('r9'))
  agent.bodies[2]!.close()
  await page.rest()
  expect(page.state().runs.r9?.status).toBe('completed')
  expect(page.state().issues).toEqual([])
})

describe('two runs at once in one session', () => {
  const open = async () => {
    const agent = createAgent()
    let asked = 0
    const page = openPage([], { fetch: agent.fetch, ids: ['r1', 'r2', 'c1', 'c2'], createMessageId: () => `q${(asked += 1)}`, stop: ({ runId }) => ({ url: `/stop/${runId}` }) })
    void page.start('One')
    await page.rest()
    void page.start('Two')
    await page.rest()
    return { ...page, sent: agent.sent, bodies: agent.bodies }
  }

  it('that use the same ids are kept apart', async () => {
    const { bodies, rest, state, sent } = await open()
    const [one, two] = bodies
    const streams = [[started('r1'), ...said('m', 'One', '.'), ...called('t', 'look', '{"n":1}'), toolResult('t'), finished('r1')], [started('r2'), ...said('m', 'Two', '!'), ...called('t', 'look', '{"n":2}'), toolResult('t'), finished('r2')]]
    for (const [index, event] of streams[0]!.entries()) {
      one!.push(event)
      two!.push(streams[1]![index]!)
      await rest(2)
    }
    one!.close()
    two!.close()
    await rest()
    expect(sent.map(({ body }) => body.runId)).toEqual(['r1', 'r2'])
    expect(textOf(state())).toEqual(['One.', 'Two!'])
    expect(Object.values(state().toolCalls).map((call) => call.arguments)).toEqual(['{"n":1}', '{"n":2}'])
    expect(state().runs).toMatchObject({ r1: { status: 'completed' }, r2: { status: 'completed' } })
    expect(state().issues).toEqual([])
  })

  it('that both ask are each answered for itself', async () => {
    const { bodies, rest, state, sent, resolve } = await open()
    for (const [index, runId] of ['r1', 'r2'].entries()) {
      bodies[index]!.push(started(runId), ...called('t', 'send', `{"n":${index}}`), interrupted([ask('t')], runId))
      bodies[index]!.close()
      await rest()
    }
    void resolve('i-t', 'rejected', undefined, 'r2')
    await rest()
    expect(sent[2]!.body).toMatchObject({ resume: [{ interruptId: 'i-t', payload: { approved: false } }] })
    bodies[2]!.push(started('x2'), toolResult('t', 'No.'), finished('x2'))
    bodies[2]!.close()
    await rest()
    expect(state().runs).toMatchObject({ r1: { status: 'running' }, r2: { status: 'completed' } })
    void resolve('i-t', 'modified', { n: 7 }, 'r1')
    await rest()
    expect(sent[3]!.body).toMatchObject({ resume: [{ interruptId: 'i-t', payload: { editedArgs: { n: 7 } } }] })
    bodies[3]!.push(started('x1'), toolResult('t'), finished('x1'))
    bodies[3]!.close()
    await rest()
    expect(state().runs).toMatchObject({ r1: { status: 'completed' }, r2: { status: 'completed' } })
    const ofRun = (record: Readonly<Record<string, { runId: string }>>, runId: string) => Object.values(record).filter((entity) => entity.runId === runId)
    expect(ofRun(state().toolCalls, 'r1')).toMatchObject([{ status: 'completed', arguments: '{"n":0}' }])
    expect(ofRun(state().toolCalls, 'r2')).toMatchObject([{ status: 'cancelled', reason: 'No.' }])
    expect(ofRun(state().approvals, 'r1')).toMatchObject([{ decision: 'modified' }])
    expect(ofRun(state().approvals, 'r2')).toMatchObject([{ decision: 'rejected' }])
    expect(state().issues).toEqual([])
  })

  it('of which one is cancelled leave the other', async () => {
    const { bodies, rest, state, sent, cancel } = await open()
    bodies[0]!.push(started('srv-1'), ...said('m', 'One').slice(0, 2))
    bodies[1]!.push(started('srv-2'), ...said('m', 'Two').slice(0, 2))
    await rest()
    await cancel('Enough.', 'r1')
    bodies[1]!.push(...said('m', '!').slice(1), finished('srv-2'))
    bodies[1]!.close()
    await rest()
    expect(sent.at(-1)!.url).toBe('/stop/srv-1')
    expect(state().runs).toMatchObject({ r1: { status: 'cancelled' }, r2: { status: 'completed' } })
    expect(textOf(state())).toEqual(['One', 'Two!'])
    expect(state().issues).toEqual([])
  })
})

describe('a cancel', () => {
  const open = async () => {
    const agent = createAgent()
    const page = openPage([], { fetch: agent.fetch, ids: ['r1', 'c1', 'c2', 'c3'], stop: ({ runId }) => ({ url: `/stop/${runId}` }) })
    void page.start()
    await page.rest()
    agent.bodies[0]!.push(...first)
    agent.bodies[0]!.close()
    await page.rest()
    return { ...page, sent: agent.sent, bodies: agent.bodies }
  }

  it('of a run that waits for one more answer ends it, and nothing is sent', async () => {
    const { resolve, cancel, rest, state, sent, connection } = await open()
    await resolve('i-t1')
    await cancel('Enough.')
    await rest()
    expect(sent.map(({ url }) => url)).toEqual(['/run', '/stop/r1'])
    expect(state().runs.r1).toMatchObject({ status: 'cancelled', reason: 'Enough.' })
    expect(approvalsOf(state())).toEqual({ 'i-t1': 'expired', 'i-t2': 'expired' })
    await expect(resolve('i-t2')).rejects.toBeDefined()
    expect(sent).toHaveLength(2)
    expect(connection('r1')?.state).toBe('idle')
    expect(state().issues).toEqual([])
  })

  it('in the stream of an answer names its AG-UI run, and nothing is said after it', async () => {
    const { resolve, cancel, rest, state, sent, bodies, commands } = await open()
    await resolve('i-t1')
    void resolve('i-t2').catch(() => undefined)
    await rest()
    bodies[1]!.push(...second.slice(0, 3))
    await rest()
    await cancel('Enough.')
    await rest()
    // Nobody listens any more.
    expect(bodies[1]!.isCancelled()).toBe(true)
    expect(sent.at(-1)!.url).toBe('/stop/r2')
    expect(state().runs.r1).toMatchObject({ status: 'cancelled', reason: 'Enough.' })
    expect(textOf(state())).toEqual(['May I?'])
    expect(state().issues).toEqual([])
    expect(commands().map(({ status }) => status)).toEqual(['succeeded', 'succeeded', 'succeeded'])
  })
})

describe('a tool of the page', () => {
  it('is answered after a reload, and by data that is edited', async () => {
    const storage = createMemoryAgentCheckpointStorage()
    const agent = createAgent()
    const tools = [{ name: 'pick', description: 'Picks.' }]
    const before = openPage([], { storage, fetch: agent.fetch, tools, ids: ['r1'] })
    await before.open()
    void before.start()
    await before.rest()
    agent.bodies[0]!.push(started(), ...called('a', 'pick'), ...called('b', 'pick'), finished('r1', { outcome: { type: 'success', pendingToolCallIds: ['a', 'b'] } }))
    agent.bodies[0]!.close()
    await before.rest()
    before.hide()
    await before.rest()
    const page = openPage([], { storage, fetch: agent.fetch, tools, ids: ['c1', 'c2'] })
    await page.open()
    await page.rest()
    expect(approvalsOf(page.state())).toEqual({ 'result:a': 'waiting', 'result:b': 'waiting' })
    await page.resolve('result:b', 'rejected')
    expect(agent.sent).toHaveLength(1)
    void page.resolve('result:a', 'approved', { color: 'blue' })
    await page.rest()
    expect(agent.sent[1]!.body.messages).toMatchObject([
      { id: 'q1' },
      { role: 'assistant', toolCalls: [{ id: 'a' }] },
      { role: 'assistant', toolCalls: [{ id: 'b' }] },
      { role: 'tool', toolCallId: 'a', content: '{"color":"blue"}' },
      { role: 'tool', toolCallId: 'b', error: 'Declined.' },
    ])
    agent.bodies[1]!.push(started('r2'), ...said('m', 'Blue.'), finished('r2'))
    agent.bodies[1]!.close()
    await page.rest()
    expect(byId(page.state().toolCalls)).toMatchObject({ a: { status: 'completed', result: { color: 'blue' } }, b: { status: 'cancelled' } })
    expect(page.state().runs.r1?.status).toBe('completed')
    expect(page.state().issues).toEqual([])
  })
})
