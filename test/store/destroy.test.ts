import { configureStore } from '@reduxjs/toolkit'
import { createAgentRuntime, createMemoryAgentCheckpointStorage, type AgentEnvironment } from 'redux-agent'
import { createGate, createScriptedProvider } from 'redux-agent/testing'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createCommandRun } from './createCommandRun.ts'
import { createFakeEnvironment, createHarness, endOfTask } from './createHarness.ts'
import { createRun } from './createRunEvents.ts'
import { replayed } from './createCheckpointPage.ts'
import { createTabPages } from './tabs/createTabPages.ts'
import { openTwoTabs } from './tabs/openTwoTabs.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

/** A target that knows which listeners it has. */
function createTarget() {
  const listeners = new Set<unknown>()
  return {
    listeners,
    addEventListener(_type: string, listener: unknown, { signal }: { signal?: AbortSignal } = {}) {
      listeners.add(listener)
      signal?.addEventListener('abort', () => listeners.delete(listener))
    },
  }
}

/** A runtime of a browser's own, with a run that waits in its middle, and its session. */
async function openBrowser() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const [page, sheet] = [createTarget(), createTarget()]
  vi.stubGlobal('addEventListener', page.addEventListener)
  vi.stubGlobal('document', { ...sheet, visibilityState: 'visible' })
  const run = createRun('r1')
  const gate = createGate()
  const provider = createScriptedProvider({
    steps: [{ events: [run.create('run.started', {})] }, { gate }],
    capabilities: { resumable: true },
  })
  const agent = createAgentRuntime({
    providers: [provider],
    checkpointStorage: createMemoryAgentCheckpointStorage(),
    environment: { createId: () => 'r1', locks: undefined },
  })
  const store = configureStore({
    reducer: { agent: agent.reducer },
    middleware: (getDefault) => getDefault().concat(agent.middleware),
    devTools: false,
  })
  await store.dispatch(agent.actions.openSession({ sessionId: 's1' })).unwrap()
  const task = store.dispatch(agent.actions.startRun({ sessionId: 's1', provider: 'scripted', input: null }))
  await gate.reached
  return { agent, store, task, provider, count: () => page.listeners.size + sheet.listeners.size }
}

/** Two tabs, the first of which reads a run that stands at its 40th event. */
async function openReading() {
  const pages = createTabPages({ hangAfterEvents: [40] })
  const { first, second, rest } = openTwoTabs(pages, { second: {} })
  await rest()
  void first.start()
  await rest()
  return { ...pages, first, second }
}

describe('a runtime that is destroyed', () => {
  it('leaves no listener and no timer behind, and nobody waits for its runs', async () => {
    const { agent, store, task, count } = await openBrowser()
    expect(count()).toBeGreaterThan(0)
    await store.dispatch(agent.actions.destroy()).unwrap()
    await task.unwrap()
    expect([count(), vi.getTimerCount()]).toEqual([0, 0])
  })

  it('has counted every listener, timer and frame that it asked for, of tabs, followers and lost wires too', async () => {
    const { open } = createTabPages({ hangAfterEvents: [40] })
    const asked = new Set<object>()
    const counted = <Args extends unknown[]>(ask: (...args: Args) => () => void) =>
      vi.fn((...args: Args) => {
        const entry = {}
        asked.add(entry)
        const stop = ask(...args)
        return () => {
          asked.delete(entry)
          stop()
        }
      })
    const fake = createFakeEnvironment()
    const signals: Partial<AgentEnvironment> = {
      onWake: counted(fake.environment.onWake!),
      onHide: counted(fake.environment.onHide!),
      onFreeze: counted(() => () => undefined),
    }
    const first = open({ instead: signals })
    const second = open()
    await first.rest()
    await second.rest()
    void first.start()
    await first.rest()
    expect(asked.size).toBe(3)
    await first.store.dispatch(first.agent.actions.destroy()).unwrap()
    expect(asked.size).toBe(0)
    expect([first.delays(), first.frames(), first.sleepers()]).toEqual([[], 0, 0])
  })

  it('has stored what it had, and another tab goes on with its run', async () => {
    const { server, storage, first, second } = await openReading()
    const ending = first.store.dispatch(first.agent.actions.destroy())
    expect(storage.saved.at(-1)!.state.lastSequenceByRun).toEqual({ r1: 40 })
    await ending.unwrap()
    await second.finish()
    expect(server.requests.slice(1)).toEqual([{ kind: 'resume', runId: 'r1', after: 40 }])
    expect(second.state()).toEqual(replayed)
    expect(second.isFollowing()).toBe(false)
  })

  it('refuses what is asked of it, but for letting go', async () => {
    const { agent, store } = createHarness()
    const { destroy, openSession, startRun, abortRun, abortCommands } = agent.actions
    await store.dispatch(destroy()).unwrap()
    await store.dispatch(destroy()).unwrap()
    for (const refused of [openSession({ sessionId: 's1' }), startRun({ sessionId: 's1', provider: 'x', input: null })]) {
      expect(() => store.dispatch(refused as never)).toThrow(expect.objectContaining({ code: 'runtime_destroyed' }))
    }
    expect(() => store.dispatch(abortRun({ sessionId: 's1' }))).not.toThrow()
    expect(() => store.dispatch(abortCommands({ sessionId: 's1' }))).not.toThrow()
  })

  it('gives up what its commands and requests wait for', async () => {
    const hung = createGate()
    const run = await createCommandRun({ answers: { 'approval.resolve': [{ gate: hung }] } })
    const task = run.approve()
    await hung.reached
    await run.store.dispatch(run.agent.actions.destroy()).unwrap()
    await expect(task.unwrap()).rejects.toMatchObject({ code: 'interrupted' })
    await run.main.unwrap()
    await endOfTask()
    expect(run.delays()).toEqual([])
  })

  it('gives up what waits for another tab, which hangs', async () => {
    const { open, first, second } = await openReading()
    first.tab.hang()
    const third = open()
    await third.rest()
    const { removeSession, resumeRun, destroy } = second.agent.actions
    const removal = second.store.dispatch(removeSession({ sessionId: 's1' }))
    const resumed = second.store.dispatch(resumeRun({ runId: 'r1' }))
    const started = second.start('More')
    await second.rest()
    await second.store.dispatch(destroy()).unwrap()
    await third.store.dispatch(third.agent.actions.destroy()).unwrap()
    const refused = { code: 'runtime_destroyed' }
    await expect(removal.unwrap()).rejects.toMatchObject(refused)
    await expect(resumed.unwrap()).rejects.toMatchObject(refused)
    await expect(third.opening.unwrap()).rejects.toMatchObject(refused)
    await started.unwrap()
  })

  it('has no part in another store of the same agent', async () => {
    const { agent, store } = createHarness()
    const other = configureStore({
      reducer: { agent: agent.reducer },
      middleware: (getDefault) => getDefault().concat(agent.middleware),
      devTools: false,
    })
    await store.dispatch(agent.actions.destroy()).unwrap()
    await expect(other.dispatch(agent.actions.openSession({ sessionId: 's1' })).unwrap()).resolves.toBeUndefined()
  })
})
