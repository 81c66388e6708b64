import { combineSlices, configureStore, createDynamicMiddleware } from '@reduxjs/toolkit'
import { createAgentRuntime, type AgentEvent } from 'redux-agent'
import { createScriptedProvider } from 'redux-agent/testing'
import { describe, expect, it } from 'vitest'
import { createHarness, expectSilentConsole } from './createHarness.ts'
import { createShortRun } from './createRunEvents.ts'

expectSilentConsole()

describe('what a provider hands over', () => {
  it('is taken by value: it may go on writing into its objects, and the state does not follow', async () => {
    const document = { lines: ['first'] }
    const [started, ...rest] = createShortRun('r1') as [AgentEvent, ...AgentEvent[]]
    const kept = { ...started, payload: { input: document } } as AgentEvent
    const provider = createScriptedProvider({ steps: [{ events: [kept] }, { events: rest }] })
    const harness = createHarness({ providers: [provider], ids: ['r1'] })
    const start = harness.agent.actions.startRun({ sessionId: 's1', provider: 'scripted', input: 'go' })
    await harness.store.dispatch(start).unwrap()
    document.lines.push('second')
    expect(harness.state().runs.r1?.input).toEqual({ lines: ['first'] })
  })
})

describe('a runtime that is added late', () => {
  it('works from the first thunk on, by dynamic middleware and an injected slice', async () => {
    const provider = createScriptedProvider({ steps: [{ events: createShortRun('r1') }] })
    const agent = createAgentRuntime({ providers: [provider], environment: { createId: () => 'r1' } })
    const dynamic = createDynamicMiddleware()
    const reducer = combineSlices({ other: () => 0 })
    const store = configureStore({ reducer, middleware: (getDefault) => getDefault().concat(dynamic.middleware) })
    reducer.inject(agent)
    dynamic.addMiddleware(agent.middleware)
    const root = store.getState as () => never
    expect(agent.selectors.selectMessages(root(), 's1')).toEqual([])
    await store.dispatch(agent.actions.startRun({ sessionId: 's1', provider: 'scripted', input: 'go' })).unwrap()
    expect(agent.selectors.selectRun(root(), { runId: 'r1' })?.status).toBe('completed')
  })

  it('says which path is taken also where it is first read', () => {
    const agent = createAgentRuntime()
    const store = configureStore({ reducer: { agent: () => 'taken' } })
    const read = () => agent.selectors.selectMessages(store.getState() as never, 's1')
    expect(read).toThrow(expect.objectContaining({ code: 'path_taken' }))
  })
})
