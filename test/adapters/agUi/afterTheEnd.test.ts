import { validateAgentProviderEvents } from 'redux-agent/testing'
import { describe, expect, it } from 'vitest'
import { toolResult } from './playAgUi.ts'
import { approvalsOf, byId, called, createConversation, finished, interrupted, said, started, textOf } from './runAgUi.ts'

// What comes once an AG-UI run has said that it is over, though our run is not.

const asked = called('t1', 'deploy')
const asks = interrupted([{ id: 'i', reason: 'tool_call', toolCallId: 't1' }])
const usage = (inputTokens: number) => ({ usage: [{ inputTokens }] })

async function play(...events: readonly unknown[]) {
  const chat = createConversation([events])
  const failures = await chat.run()
  expect(chat.state().issues).toEqual([])
  const run = chat.state().runs.r1!
  const waits = Object.values(approvalsOf(chat.state())).includes('waiting')
  // Never silence: the run is over, or somebody can answer it.
  expect(run.status === 'running').toBe(waits)
  if (!waits) expect(validateAgentProviderEvents(chat.provider.capabilities, chat.events)).toEqual([])
  return { ...chat, failures, run }
}

describe('a result that comes once the run waits for it', () => {
  const waiting = [
    ['an interrupt', [started(), ...asked, asks]],
    ['a call of the page’s own', [started(), ...asked, finished('r1', { outcome: { type: 'success', pendingToolCallIds: ['t1'] } })]],
  ] as const

  it.each(waiting)('and the end again is the end: %s', async (_name, before) => {
    const { run, failures, state } = await play(...before, toolResult('t1'), finished('r1', { result: 7, ...usage(3) }))
    expect(failures).toEqual([])
    expect(run).toMatchObject({ status: 'completed', output: 7, usage: { inputTokens: 3 } })
    expect(byId(state().toolCalls).t1?.status).toBe('completed')
    expect(Object.values(approvalsOf(state()))).toEqual(['approved'])
  })

  it.each(waiting)('and the end of the stream is the end: %s', async (_name, before) => {
    const { run, failures, state } = await play(...before, toolResult('t1'))
    expect(failures).toEqual([])
    expect(run.status).toBe('completed')
    expect(byId(state().toolCalls).t1?.status).toBe('completed')
  })

  it.each(waiting)('and the same end once more, and once more, is one: %s', async (_name, before) => {
    const end = before.at(-1)!
    const { run } = await play(...before, end, toolResult('t1'), end, end, toolResult('t1'))
    expect(run.status).toBe('completed')
  })

  it('and an error is a failure', async () => {
    const { run } = await play(started(), ...asked, asks, toolResult('t1'), { type: 'RUN_ERROR', message: 'No.' })
    expect(run).toMatchObject({ status: 'failed', error: { message: 'No.' } })
  })

  it('and another question waits in its place', async () => {
    const { state } = await play(started(), ...asked, asks, toolResult('t1'), interrupted([{ id: 'j', reason: 'x' }]))
    expect(approvalsOf(state())).toEqual({ i: 'approved', j: 'waiting' })
  })

  it('of which there are two needs both', async () => {
    const two = [started(), ...asked, ...called('t2', 'deploy')]
    const both = interrupted(['t1', 't2'].map((id) => ({ id, reason: 'tool_call', toolCallId: id })))
    const one = await play(...two, both, toolResult('t1'), finished())
    expect(approvalsOf(one.state())).toEqual({ t1: 'approved', t2: 'waiting' })
    const all = await play(...two, both, toolResult('t1'), toolResult('t2'), finished())
    expect(all.run.status).toBe('completed')
  })

  it('of a call that nobody knows is told all the same', async () => {
    const { state, run } = await play(started(), ...asked, asks, toolResult('t9'))
    expect(run.status).toBe('running')
    expect(byId(state().toolCalls).t9?.status).toBe('completed')
  })
})

describe('another AG-UI run behind a question', () => {
  const next = [started('r2'), ...said('m', 'On ', 'it')]

  it('that ends leaves the question', async () => {
    const { run, state } = await play(started(), ...asked, asks, ...next, finished('r2'))
    expect(run.status).toBe('running')
    expect(textOf(state())).toEqual(['On it'])
  })

  it('that breaks off leaves the question, and closes what it said', async () => {
    for (let cut = 1; cut < next.length; cut += 1) {
      const { run, failures, state } = await play(started(), ...asked, asks, ...next.slice(0, cut))
      expect(failures).toEqual([])
      expect(run.status).toBe('running')
      const open = Object.values(state().messages).filter(({ status }) => status === 'streaming')
      expect(open).toEqual([])
    }
  })

  it('that answers it and breaks off is one clear error', async () => {
    const { run, failures } = await play(started(), ...asked, asks, ...next, toolResult('t1'))
    expect(failures).toMatchObject([{ code: 'incomplete', adapter: 'ag-ui' }])
    expect(run).toMatchObject({ status: 'failed', error: { message: expect.stringMatching(/^ag-ui: /) } })
  })

  it('that answers it and ends is the end', async () => {
    const { run } = await play(started(), ...asked, asks, ...next, toolResult('t1'), finished('r2', { result: 2 }))
    expect(run).toMatchObject({ status: 'completed', output: 2 })
  })
})

it('a result that comes before its call, and again within it, counts once', async () => {
  const [start, ...rest] = asked
  const { run, state } = await play(started(), toolResult('t1', 'first'), start, toolResult('t1', 'second'), ...rest, finished())
  expect(run.status).toBe('completed')
  expect(byId(state().toolCalls).t1).toMatchObject({ status: 'completed', result: 'first' })
})

it('what is wrong once a run waits takes its question back no more than a broken frame does', async () => {
  const wrong = ['{"type":', '"x"', [1], { type: 'STATE_SNAPSHOT' }, { type: 'TEXT_MESSAGE_CONTENT', messageId: 'no', delta: 'x' }]
  for (const chunk of wrong) {
    const { run, failures, resolve, state } = await play(started(), ...asked, asks, chunk)
    expect(failures).toEqual([])
    expect(run.status).toBe('running')
    await resolve('i').catch(() => undefined)
    expect(state().issues).toEqual([])
  }
})

describe('any order of ends, results and beginnings', () => {
  it('leaves a run that is over, or one that can be answered', async () => {
    let seed = 11
    const random = (below: number) => (seed = (seed * 16807) % 2147483647) % below
    const pool = [asks, toolResult('t1'), toolResult('t9'), finished(), started('r2'), finished('r2'), ...said('m', 'x')]
    const more = [...pool, { type: 'CUSTOM', name: 'on_interrupt', value: 'Well?' }, { type: 'RUN_ERROR', message: 'No.' }]
    for (let round = 0; round < 300; round += 1) {
      const events = Array.from({ length: 1 + random(9) }, () => more[random(more.length)]!)
      const { failures } = await play(started(), ...asked, asks, ...events)
      const codes = failures.map((failure) => (failure as { code?: unknown }).code)
      expect([[], ['incomplete'], ['invalid_frame']]).toContainEqual(codes)
    }
  })
})
