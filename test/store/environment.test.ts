import { configureStore } from '@reduxjs/toolkit'
import { createAgentRuntime, replayAgentEvents, type AgentEvent } from 'redux-agent'
import { createGate, createScriptedProvider } from 'redux-agent/testing'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { endOfTask, expectSilentConsole } from './createHarness.ts'
import { createRun, createShortRun } from './createRunEvents.ts'

expectSilentConsole()
afterEach(() => {
  vi.useRealTimers()
})

const start = { sessionId: 's1', provider: 'scripted', input: null }

function createStore(options: Parameters<typeof createAgentRuntime<'agent'>>[0]) {
  const agent = createAgentRuntime({ reducerPath: 'agent', ...options })
  const store = configureStore({
    reducer: { agent: agent.reducer },
    middleware: (getDefault) => getDefault().concat(agent.middleware),
    devTools: false,
  })
  const state = () => agent.selectors.selectAgentState(store.getState(), 's1')
  return { agent, store, state }
}

/** A run whose last delta waits for a frame or a timer. */
async function createWaiting(environment: object = {}) {
  const run = createRun('r1')
  const gate = createGate()
  const events = [run.create('run.started', {}), run.create('reasoning.started', { reasoningId: 'x' })]
  const delta = run.create('reasoning.delta', { reasoningId: 'x', delta: 'hm' })
  const provider = createScriptedProvider({ steps: [{ events }, { events: [delta] }, { gate }] })
  const made = createStore({ providers: [provider], environment: { createId: () => 'r1', ...environment } })
  made.store.dispatch(made.agent.actions.startRun(start))
  await gate.reached
  return { ...made, before: replayAgentEvents(events), after: replayAgentEvents([...events, delta]) }
}

describe('the surroundings of a runtime', () => {
  it('have frames where the page has', async () => {
    const frames: (() => void)[] = []
    vi.stubGlobal('requestAnimationFrame', (callback: () => void) => frames.push(callback))
    const cancelled: number[] = []
    vi.stubGlobal('cancelAnimationFrame', (frame: number) => cancelled.push(frame))
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const { state, before, after, agent, store } = await createWaiting()
    expect(state()).toEqual(before)
    expect(frames).toHaveLength(1)
    frames[0]!()
    expect(state()).toEqual(after)
    expect(cancelled).toEqual([1])
    const told = state()
    vi.advanceTimersByTime(1000)
    expect(state()).toBe(told)
    store.dispatch(agent.actions.abortRun({ sessionId: 's1' }))
  })

  it('have timers alone where there are no frames', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const { state, before, after, agent, store } = await createWaiting()
    vi.advanceTimersByTime(49)
    expect(state()).toEqual(before)
    vi.advanceTimersByTime(1)
    expect(state()).toEqual(after)
    store.dispatch(agent.actions.abortRun({ sessionId: 's1' }))
  })
})

describe('a burst of chunks', () => {
  /** A stream of chunks whose handling takes the clock a millisecond each. */
  function createBurst(yieldToHost?: (callback: () => void) => void) {
    const run = createRun('r1')
    const events: AgentEvent[] = [run.create('run.started', {})]
    for (let index = 0; index < 200; index += 1)
      events.push(run.create('task.created', { taskId: `t${index}`, title: 'x' }))
    events.push(run.create('run.completed', {}))
    let time = 0
    const provider = createScriptedProvider({ steps: events.map((event) => ({ events: [event] })) })
    const environment = { createId: () => 'r1', now: () => (time += 1), ...(yieldToHost && { yieldToHost }) }
    return { events, ...createStore({ providers: [provider], environment }) }
  }

  it('gives the host its turn in between, and loses nothing', async () => {
    const turns: (() => void)[] = []
    const { agent, store, state, events } = createBurst((callback) => turns.push(callback))
    const task = store.dispatch(agent.actions.startRun(start))
    await endOfTask()
    expect(turns).toHaveLength(1)
    const { length } = state().order
    expect(length).toBeGreaterThan(0)
    expect(length).toBeLessThan(200)
    let taken = 0
    while (turns.length > taken) {
      turns[taken++]!()
      await endOfTask()
    }
    expect(taken).toBeGreaterThan(2)
    await task.unwrap()
    expect(state()).toEqual(replayAgentEvents(events))
  })

  it('is closed by an abort during such a turn', async () => {
    const turns: (() => void)[] = []
    const { agent, store, state } = createBurst((callback) => turns.push(callback))
    const task = store.dispatch(agent.actions.startRun(start))
    await endOfTask()
    store.dispatch(agent.actions.abortRun({ sessionId: 's1' }))
    const before = state()
    turns[0]!()
    await task.unwrap()
    expect(state()).toBe(before)
    expect(agent.selectors.selectConnectionState(store.getState(), { sessionId: 's1' })).toBe('idle')
  })

  it.each([true, false])('takes its turns by the host’s own means (setImmediate: %s)', async (hasImmediate) => {
    const immediate = setImmediate
    if (!hasImmediate) vi.stubGlobal('setImmediate', undefined)
    const { agent, store, state, events } = createBurst()
    await store.dispatch(agent.actions.startRun(start)).unwrap()
    expect(state()).toEqual(replayAgentEvents(events))
    vi.stubGlobal('setImmediate', immediate)
  })
})

describe('a short run', () => {
  it('needs nothing injected', async () => {
    const provider = createScriptedProvider({ steps: (_, { runId }) => [{ events: createShortRun(runId) }] })
    const { agent, store, state } = createStore({ providers: [provider] })
    const task = store.dispatch(agent.actions.startRun(start))
    await task.unwrap()
    expect(state()).toEqual(replayAgentEvents(createShortRun(task.runId)))
  })
})
