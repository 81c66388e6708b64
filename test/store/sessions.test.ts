import fc from 'fast-check'
import { getAgentEntityKey, getReceivedEvents, replayAgentEvents, type AgentEvent } from 'redux-agent'
import { createGate, createScriptedProvider, type Gate, type ScriptedStep } from 'redux-agent/testing'
import { describe, expect, it } from 'vitest'
import { arbitraryScripts, cutAt, hostileIds } from '../state/arbitraryScripts.ts'
import { createHarness, endOfTask, expectSilentConsole } from './createHarness.ts'
import { createRun, createShortRun } from './createRunEvents.ts'

expectSilentConsole()

describe('a session', () => {
  it('moves a run that ends from active to settled, once', async () => {
    const gate = createGate()
    const events = createShortRun('r1')
    const provider = createScriptedProvider({
      steps: [{ events: events.slice(0, 4) }, { gate }, { events: events.slice(4) }],
    })
    const harness = createHarness({ providers: [provider], ids: ['r1'] })
    const task = harness.store.dispatch(
      harness.agent.actions.startRun({ sessionId: 's1', provider: 'scripted', input: null }),
    )
    await gate.reached
    await endOfTask()
    const session = () => harness.selectors.selectSession(harness.store.getState(), 's1')!
    expect(Object.keys(session().active.runs)).toEqual(['r1'])
    expect(Object.keys(session().settled.runs)).toEqual([])
    gate.open()
    await task
    expect(session().active).toMatchObject({
      runs: {},
      messages: {},
      order: [],
      lastSequenceByRun: {},
      processedEvents: {},
    })
    expect(Object.keys(session().settled.runs)).toEqual(['r1'])
    expect(harness.state()).toEqual(replayAgentEvents(events))
  })

  it('shows the order of events where overlapping runs settle one after the other', async () => {
    const [first, second] = [createRun('r1'), createRun('r2')]
    const task = (run: typeof first, id: string) => run.create('task.created', { taskId: id, title: id })
    const batches: AgentEvent[][] = [
      [first.create('run.started', {}), second.create('run.started', {}), task(second, 'a'), task(first, 'b')],
      [task(second, 'c'), second.create('run.completed', {}), task(first, 'd')],
      [task(first, 'e'), first.create('run.completed', {})],
    ]
    const harness = createHarness()
    for (const [index, events] of batches.entries()) {
      harness.store.dispatch(harness.agent.events.eventsReceived({ sessionId: 's1', events }, index + 1))
      expect(harness.state()).toEqual(replayAgentEvents(batches.slice(0, index + 1).flat()))
    }
    expect(harness.state().order.map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd', 'e'])
    const timeline = harness.selectors.selectAgentTimeline(harness.store.getState(), { sessionId: 's1' })
    expect(timeline.map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd', 'e'])
  })

  it('is at every moment what a plain replay of its events gives', () => {
    fc.assert(
      fc.property(
        arbitraryScripts({ early: true, maxLength: 80 }),
        fc.array(fc.nat(80), { maxLength: 10 }),
        (events, cuts) => {
          const harness = createHarness()
          const { store, agent } = harness
          store.subscribe(() => undefined)
          const told: AgentEvent[] = []
          cutAt(events, cuts).forEach((batch, index) => {
            store.dispatch(agent.events.eventsReceived({ sessionId: 's1', events: batch }, index + 1))
            told.push(...batch)
            expect(harness.state()).toEqual(replayAgentEvents(told))
          })
          const running = harness.selectors.selectRunningRuns(store.getState(), 's1')
          expect(running.every(({ status }) => status === 'running')).toBe(true)
        },
      ),
      { numRuns: 80 },
    )
  })

  it('is that too where the runs are those of concurrent streams', async () => {
    const chunks = fc.array(fc.constantFrom('task', 'delta', 'wait'), { maxLength: 6 })
    await fc.assert(
      fc.asyncProperty(
        fc.array(chunks, { minLength: 1, maxLength: 3 }),
        fc.array(fc.nat(2), { maxLength: 20 }),
        async (scripts, turns) => {
          const gates: Gate[][] = []
          const provider = createScriptedProvider<number>({
            steps: (index, { runId }) => {
              const run = createRun(runId)
              gates[index] = []
              const opening = [run.create('run.started', {}), run.create('reasoning.started', { reasoningId: 'x' })]
              const steps = scripts[index]!.flatMap((kind, at): ScriptedStep[] => {
                const gate = createGate()
                if (kind === 'wait') gates[index]!.push(gate)
                if (kind === 'wait') return [{ gate }]
                const event =
                  kind === 'task'
                    ? run.create('task.created', { taskId: `t${at}`, title: 'Look' })
                    : run.create('reasoning.delta', { reasoningId: 'x', delta: `${at}` })
                return [{ events: [event] }]
              })
              return [{ events: opening }, ...steps, { events: [run.create('run.completed', {})] }]
            },
          })
          const harness = createHarness({ providers: [provider], ids: ['r0', 'r1', 'r2'] })
          const tasks = scripts.map((_, input) =>
            harness.store.dispatch(harness.agent.actions.startRun({ sessionId: 's1', provider: 'scripted', input })),
          )
          for (const turn of turns) {
            gates[turn % scripts.length]?.shift()?.open()
            await endOfTask()
            if (turn === 0) harness.fireFrame()
          }
          for (const gate of gates.flat()) gate.open()
          await Promise.all(tasks.map((task) => task.unwrap()))
          const told = harness.batches().flatMap(getReceivedEvents)
          expect(harness.state()).toEqual(replayAgentEvents(told))
          expect(harness.state().issues).toEqual([])
          expect(harness.selectors.selectRunningRuns(harness.store.getState(), 's1')).toEqual([])
        },
      ),
      { numRuns: 40 },
    )
  })

  it('keeps five thousand settled entities as they are while deltas come', () => {
    const harness = createHarness()
    const { store, agent, selectors } = harness
    const old = createRun('old')
    const settled: AgentEvent[] = [old.create('run.started', {})]
    for (let index = 0; index < 5000; index += 1) {
      settled.push(old.create('message.started', { messageId: `m${index}`, role: 'user', content: 'x' }))
    }
    settled.push(old.create('run.completed', {}))
    store.dispatch(agent.events.eventsReceived({ sessionId: 's1', events: settled }, 1))
    const run = createRun('new')
    const opening = [
      run.create('run.started', {}),
      run.create('message.started', { messageId: 'm', role: 'assistant' }),
    ]
    store.dispatch(agent.events.eventsReceived({ sessionId: 's1', events: opening }, 2))
    const before = selectors.selectSession(store.getState(), 's1')!.settled
    const messages = selectors.selectMessages(store.getState(), 's1')
    const oldRun = selectors.selectRun(store.getState(), { runId: 'old' })
    for (let batch = 3; batch < 53; batch += 1) {
      const events = [run.create('message.delta', { messageId: 'm', delta: '.' })]
      store.dispatch(agent.events.eventsReceived({ sessionId: 's1', events }, batch))
    }
    expect(selectors.selectSession(store.getState(), 's1')!.settled).toBe(before)
    expect(selectors.selectRun(store.getState(), { runId: 'old' })).toBe(oldRun)
    const after = selectors.selectMessages(store.getState(), 's1')
    expect(after).toHaveLength(5001)
    expect(after.every((item, index) => index === 5000 || item === messages[index])).toBe(true)
    expect(selectors.selectMessages(store.getState(), 's1')).toBe(after)
    expect(harness.state().messages[getAgentEntityKey('new', 'm')]).toMatchObject({ content: '.'.repeat(50) })
  })

  it('is unknown until something comes, and its selectors give empty lists that stay the same', () => {
    const { selectors, store } = createHarness()
    const root = store.getState()
    expect(selectors.selectSession(root, 's1')).toBeUndefined()
    expect(selectors.selectAgentState(root, 's1')).toBe(selectors.selectAgentState(root, 's2'))
    expect(selectors.selectMessages(root, 's1')).toBe(selectors.selectMessages(root, 's2'))
    expect(selectors.selectAgentTimeline(root, { sessionId: 's1' })).toEqual([])
    expect(selectors.selectRunningRuns(root, 's1')).toBe(selectors.selectRunningRuns(root, 's1'))
    expect(selectors.selectConnectionState(root, { sessionId: 's1' })).toBe('idle')
    expect(selectors.selectConnectionState(root, { runId: 'r1' })).toBe('idle')
    expect(selectors.selectRunConnection(root, 'r1')).toBeUndefined()
    expect(selectors.selectIsRequesting(root, 's1')).toBe(false)
    expect(selectors.selectRun(root, { runId: 'r1' })).toBeUndefined()
    expect(selectors.selectToolCall(root, { runId: 'r1', toolCallId: 't' })).toBeUndefined()
    expect(selectors.selectApproval(root, { runId: 'r1', approvalId: 'a' })).toBeUndefined()
    expect(selectors.selectMessage(root, { runId: 'r1', messageId: 'm' })).toBeUndefined()
    expect(selectors.selectCommandStates(root, 's1')).toEqual({})
    expect(selectors.selectLatestCommandByAction(root, 's1')).toEqual({})
    expect(selectors.selectCommandForAction(root, { runId: 'r1', type: 'run.cancel' })).toBeUndefined()
  })
})

describe.each(hostileIds)('a session and a run named %j', (id) => {
  it('are like any other', async () => {
    const provider = createScriptedProvider({
      steps: [{ events: createShortRun(id, id) }],
      commands: { 'run.cancel': [] },
    })
    const harness = createHarness({ providers: [provider], ids: [id, id] })
    const { store, agent, selectors } = harness
    expect(selectors.selectAgentState(store.getState(), id).order).toEqual([])
    await store.dispatch(agent.actions.startRun({ sessionId: id, provider: 'scripted', input: null })).unwrap()
    expect(harness.state(id)).toEqual(replayAgentEvents(createShortRun(id, id)))
    expect(selectors.selectRunConnection(store.getState(), id)).toMatchObject({ runId: id, state: 'idle' })
    expect(selectors.selectConnectionState(store.getState(), { sessionId: id })).toBe('idle')
    await expect(store.dispatch(agent.actions.cancelRun({ runId: id })).unwrap()).rejects.toMatchObject({
      code: 'run_ended',
    })
    expect(Object.keys({})).toEqual([])
    expect(({} as Record<string, unknown>).active).toBeUndefined()
  })
})
