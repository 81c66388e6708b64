import { SHOULD_AUTOBATCH } from '@reduxjs/toolkit'
import { getAgentEntityKey, getReceivedEvents, replayAgentEvents, type AgentEvent } from 'redux-agent'
import { createGate, createScriptedProvider } from 'redux-agent/testing'
import { describe, expect, it } from 'vitest'
import { createHarness, endOfTask, expectSilentConsole } from './createHarness.ts'
import { createRun, createShortRun } from './createRunEvents.ts'

expectSilentConsole()

const start = { sessionId: 's1', provider: 'scripted', input: 'go' }

/** A run that is open, and gates before each further chunk. */
function createGated(chunks: readonly (readonly AgentEvent[])[]) {
  const gates = chunks.map(() => createGate())
  const provider = createScriptedProvider({
    steps: chunks.flatMap((events, index) => [{ gate: gates[index]! }, { events }]),
  })
  return {
    provider,
    async deliver(index: number) {
      gates[index]!.open()
      await endOfTask()
    },
  }
}

describe('batches', () => {
  it('tell the events of one chunk in one action, in their order, and at once, as a person may wait for it', async () => {
    const events = createShortRun('r1')
    const harness = createHarness({ providers: [createScriptedProvider({ steps: [{ events }] })], ids: ['r1'] })
    await harness.store.dispatch(harness.agent.actions.startRun(start)).unwrap()
    expect(harness.batches()).toEqual([
      {
        type: 'agent/eventsReceived',
        payload: { sessionId: 's1', events: [...events.slice(0, 3), [2, ' there', 1, 0], ...events.slice(4)] },
        meta: { batch: expect.any(Number), count: events.length, [SHOULD_AUTOBATCH]: false },
      },
    ])
    expect(getReceivedEvents(harness.batches()[0]!)).toEqual(events)
    expect(harness.state()).toEqual(replayAgentEvents(events))
  })

  it('gather deltas until the next frame', async () => {
    const run = createRun('r1')
    const opening = [
      run.create('run.started', {}),
      run.create('message.started', { messageId: 'm', role: 'assistant' }),
    ]
    const deltas = ['a', 'b', 'c'].map((delta) => run.create('message.delta', { messageId: 'm', delta }))
    const gated = createGated([opening, ...deltas.map((event) => [event])])
    const harness = createHarness({ providers: [gated.provider], ids: ['r1'] })
    const task = harness.store.dispatch(harness.agent.actions.startRun(start))
    await gated.deliver(0)
    expect(harness.batches()).toHaveLength(1)
    expect(harness.frames()).toBe(0)
    for (const index of [1, 2, 3]) await gated.deliver(index)
    await task
    // The end of the stream tells the rest at once; before it nothing was told.
    expect(harness.batches().map(({ meta }) => meta.count)).toEqual([2, 3])
    // Deltas alone may be told with the next frame, as RTK does it.
    expect(harness.batches().map(({ meta }) => meta[SHOULD_AUTOBATCH])).toEqual([false, true])
    expect(harness.frames()).toBe(0)
    expect(harness.delays()).toEqual([])
  })

  it('are told by a frame where one comes, and by the timer where none does', async () => {
    const run = createRun('r1')
    const opening = [
      run.create('run.started', {}),
      run.create('message.started', { messageId: 'm', role: 'assistant' }),
    ]
    const deltas = ['a', 'b', 'c', 'd'].map((delta) => [run.create('message.delta', { messageId: 'm', delta })])
    const gated = createGated([opening, ...deltas, []])
    const harness = createHarness({ providers: [gated.provider], ids: ['r1'], batch: { maxDelay: 40 } })
    const task = harness.store.dispatch(harness.agent.actions.startRun(start))
    const content = () => harness.state().messages[getAgentEntityKey('r1', 'm')]?.content
    await gated.deliver(0)
    await gated.deliver(1)
    await gated.deliver(2)
    expect(content()).toBe('')
    expect(harness.frames()).toBe(1)
    expect(harness.delays()).toEqual([40])
    harness.fireFrame()
    expect(content()).toBe('ab')
    expect(harness.delays()).toEqual([])
    await gated.deliver(3)
    expect(harness.fireTimers(40)).toBe(1)
    expect(content()).toBe('abc')
    expect(harness.frames()).toBe(0)
    await gated.deliver(4)
    await gated.deliver(5)
    await task
    expect(content()).toBe('abcd')
  })

  it('are told by the timer alone where there are no frames', async () => {
    const run = createRun('r1')
    const opening = [run.create('run.started', {}), run.create('reasoning.started', { reasoningId: 'x' })]
    const gated = createGated([opening, [run.create('reasoning.delta', { reasoningId: 'x', delta: 'hm' })], []])
    const harness = createHarness({ providers: [gated.provider], ids: ['r1'], frames: false })
    const task = harness.store.dispatch(harness.agent.actions.startRun(start))
    await gated.deliver(0)
    await gated.deliver(1)
    expect(harness.delays()).toEqual([50])
    harness.fireTimers(50)
    expect(harness.batches()).toHaveLength(2)
    await gated.deliver(2)
    await task
  })

  it('tell what is not a delta at the end of the task, and the deltas before it with it', async () => {
    const run = createRun('r1')
    const opening = [run.create('run.started', {}), run.create('tool.requested', { toolCallId: 't', name: 'look' })]
    const delta = run.create('tool.arguments_delta', { toolCallId: 't', delta: '{}' })
    const running = run.create('tool.running', { toolCallId: 't' })
    const gated = createGated([opening, [delta], [running], []])
    const harness = createHarness({ providers: [gated.provider], ids: ['r1'] })
    const task = harness.store.dispatch(harness.agent.actions.startRun(start))
    await gated.deliver(0)
    await gated.deliver(1)
    expect(harness.batches()).toHaveLength(1)
    await gated.deliver(2)
    expect(harness.batches().map(getReceivedEvents)).toEqual([opening, [delta, running]])
    expect(harness.frames()).toBe(0)
    await gated.deliver(3)
    await task
  })

  it('hold no more events than they may', async () => {
    const run = createRun('r1')
    const events: AgentEvent[] = [run.create('run.started', {}), run.create('reasoning.started', { reasoningId: 'x' })]
    for (let index = 0; index < 23; index += 1) {
      events.push(run.create('reasoning.delta', { reasoningId: 'x', delta: `${index}` }))
    }
    const provider = createScriptedProvider({ steps: [{ events }] })
    const harness = createHarness({ providers: [provider], ids: ['r1'], batch: { maxEvents: 10 } })
    await harness.store.dispatch(harness.agent.actions.startRun(start))
    expect(harness.batches().map(({ meta }) => meta.count)).toEqual([10, 10, 5])
    const numbers = harness.batches().map(({ meta }) => meta.batch)
    expect(numbers).toEqual([numbers[0]!, numbers[0]! + 1, numbers[0]! + 2])
    expect(harness.batches().flatMap(getReceivedEvents)).toEqual(events)
  })

  it('take ten thousand events of one chunk, and text of megabytes', async () => {
    const run = createRun('r1')
    const events: AgentEvent[] = [
      run.create('run.started', {}),
      run.create('message.started', { messageId: 'm', role: 'assistant' }),
    ]
    for (let index = 0; index < 10_000; index += 1)
      events.push(run.create('message.delta', { messageId: 'm', delta: '好' }))
    events.push(
      run.create('message.delta', { messageId: 'm', delta: 'x'.repeat(1024 * 1024) }),
      run.create('run.completed', {}),
    )
    const harness = createHarness({ providers: [createScriptedProvider({ steps: [{ events }] })], ids: ['r1'] })
    await harness.store.dispatch(harness.agent.actions.startRun(start)).unwrap()
    expect(harness.state().messages[getAgentEntityKey('r1', 'm')]!.content).toHaveLength(10_000 + 1024 * 1024)
    expect(harness.state()).toEqual(replayAgentEvents(events))
  })

  it('keep sessions apart, and each in its order', async () => {
    const provider = createScriptedProvider<string>({
      steps: (sessionId, { runId }) => [{ events: createShortRun(runId, sessionId) }],
    })
    const harness = createHarness({ providers: [provider], ids: ['r1', 'r2'] })
    const { dispatch } = harness.store
    const tasks = ['s1', 's2'].map((sessionId) =>
      dispatch(harness.agent.actions.startRun({ sessionId, provider: 'scripted', input: sessionId })),
    )
    await Promise.all(tasks)
    expect(harness.state('s1')).toEqual(replayAgentEvents(createShortRun('r1', 's1')))
    expect(harness.state('s2')).toEqual(replayAgentEvents(createShortRun('r2', 's2')))
  })

  it('lose nothing where a part of the app throws while it is told', async () => {
    const run = createRun('r1')
    const opening = [run.create('run.started', {}), run.create('reasoning.started', { reasoningId: 'x' })]
    const delta = (text: string) => run.create('reasoning.delta', { reasoningId: 'x', delta: text })
    const chunks = [opening, [delta('a')], [delta('b')], [delta('c')], []]
    const gated = createGated(chunks)
    const harness = createHarness({ providers: [gated.provider], ids: ['r1'] })
    const task = harness.store.dispatch(harness.agent.actions.startRun(start))
    await gated.deliver(0)
    await gated.deliver(1)
    const dispatch = harness.store.dispatch
    let isBroken = true
    harness.passed.push = ((...actions) => {
      if (isBroken && actions.some(harness.agent.events.eventsReceived.match)) throw new Error('The app is broken.')
      return Array.prototype.push.apply(harness.passed, actions)
    }) as typeof harness.passed.push
    expect(() => harness.fireFrame()).toThrow('The app is broken.')
    isBroken = false
    await gated.deliver(2)
    harness.fireFrame()
    await gated.deliver(3)
    await gated.deliver(4)
    await task
    dispatch({ type: 'app/touched' })
    expect(harness.state()).toEqual(replayAgentEvents(chunks.flat()))
  })
})
