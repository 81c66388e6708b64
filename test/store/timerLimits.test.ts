import { configureStore } from '@reduxjs/toolkit'
import { createAgentRuntime } from 'redux-agent'
import { createGate, createScriptedProvider } from 'redux-agent/testing'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createRun } from './createRunEvents.ts'

afterEach(() => {
  vi.useRealTimers()
})

describe('a delay that is longer than a timer can count', () => {
  it.each([
    [2 ** 31, 1],
    [Infinity, 0],
  ])('does not ring at once: %d', async (maxDelay, timers) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const run = createRun('r1')
    const gate = createGate()
    const started = [run.create('run.started', {}), run.create('reasoning.started', { reasoningId: 'x' })]
    const delta = run.create('reasoning.delta', { reasoningId: 'x', delta: 'hm' })
    const provider = createScriptedProvider({ steps: [{ events: started }, { events: [delta] }, { gate }] })
    const agent = createAgentRuntime({
      providers: [provider],
      batch: { maxDelay },
      environment: { createId: () => 'r1' },
    })
    const store = configureStore({
      reducer: { agent: agent.reducer },
      middleware: (getDefault) => getDefault().concat(agent.middleware),
      devTools: false,
    })
    store.dispatch(agent.actions.startRun({ sessionId: 's1', provider: 'scripted', input: null }))
    await gate.reached
    const before = store.getState()
    expect(vi.getTimerCount()).toBe(timers)
    vi.advanceTimersByTime(60_000)
    expect(store.getState()).toBe(before)
  })
})
