import { configureStore } from '@reduxjs/toolkit'
import { createAgentRuntime, type AgentCheckpointStorage } from 'redux-agent'
import { createScriptedProvider } from 'redux-agent/testing'
import { describe, expect, it, vi } from 'vitest'
import { createHarness, endOfTask, expectSilentConsole } from './createHarness.ts'

expectSilentConsole()

const start = { sessionId: 's1', provider: 'scripted', input: null }

describe('a run that is refused at once', () => {
  it.each([
    ['an unknown provider', { ...start, provider: 'nobody' }, 'unknown_provider'],
    ['a provider that is none', { ...start, provider: {} as never }, 'invalid_provider'],
    ['an empty session', { ...start, sessionId: '' }, 'invalid_session'],
    ['a session that is no text', { ...start, sessionId: 1 as never }, 'invalid_session'],
    ['an empty run id', { ...start, runId: '' }, 'invalid_option'],
    ['a run id that is no text', { ...start, runId: null as never }, 'invalid_option'],
  ])('is told by its task, as what fails later: %s', async (_, options, code) => {
    const { store, agent, passed } = createHarness({ providers: [createScriptedProvider({ steps: [] })] })
    const task = store.dispatch(agent.actions.startRun(options))
    expect(task.runId).toBe('')
    expect(await task).toMatchObject({ error: { name: 'AgentRuntimeError', code } })
    await expect(task.unwrap()).rejects.toMatchObject({ code })
    expect(passed.filter(agent.events.runRequested.match)).toEqual([])
  })

  it('is no unhandled rejection where nobody looks', async () => {
    const unhandled = vi.fn<(reason: unknown) => void>()
    process.on('unhandledRejection', unhandled)
    const { store, agent } = createHarness()
    const { startRun, resumeRun, openSession, removeSession, cancelRun } = agent.actions
    store.dispatch(startRun(start))
    store.dispatch(resumeRun({ runId: 'none' }))
    store.dispatch(openSession({ sessionId: '', provider: 'scripted' }))
    store.dispatch(removeSession({ sessionId: '' }))
    store.dispatch(cancelRun({ runId: 'none' }))
    await endOfTask()
    await endOfTask()
    process.off('unhandledRejection', unhandled)
    expect(unhandled).not.toHaveBeenCalled()
  })

  it('is a programmer’s error, thrown at once, where the store is not set up', () => {
    const agent = createAgentRuntime()
    const store = configureStore({ reducer: { agent: agent.reducer }, devTools: false })
    expect(() => store.dispatch(agent.actions.startRun(start))).toThrow(
      expect.objectContaining({ code: 'middleware_missing' }),
    )
  })
})

describe('a session without a name', () => {
  it('is neither opened nor removed', async () => {
    const storage: AgentCheckpointStorage = {
      load: vi.fn<AgentCheckpointStorage['load']>(),
      save: vi.fn<AgentCheckpointStorage['save']>(),
      remove: vi.fn<AgentCheckpointStorage['remove']>(),
    }
    const { store, agent } = createHarness({ checkpointStorage: storage })
    for (const task of [
      store.dispatch(agent.actions.openSession({ sessionId: '', provider: 'scripted' })),
      store.dispatch(agent.actions.removeSession({ sessionId: '' })),
    ]) {
      await expect(task.unwrap()).rejects.toMatchObject({ code: 'invalid_session' })
    }
    for (const method of Object.values(storage)) expect(method).not.toHaveBeenCalled()
  })
})

describe('a run without a name', () => {
  it.each([
    [{ runId: '', sessionId: 's1' }, 'invalid_option'],
    [{ runId: 'r1', sessionId: '' }, 'invalid_session'],
  ])('is not followed: %j', (of, code) => {
    const { store, agent, connection } = createHarness({ providers: [createScriptedProvider({ steps: [] })] })
    const follow = () => store.dispatch(agent.actions.followRun({ ...of, provider: 'scripted' }))
    expect(follow).toThrow(expect.objectContaining({ code }))
    expect(connection(of.runId)).toBeUndefined()
  })
})

describe('while a session is restored', () => {
  /** A store whose session is being read until the test lets it be. */
  function createRestoring() {
    let answer = (): void => undefined
    const loaded = new Promise<undefined>((resolve) => (answer = () => resolve(undefined)))
    const harness = createHarness({
      providers: [createScriptedProvider({ steps: [] })],
      checkpointStorage: { load: () => loaded, save: async () => undefined, remove: async () => undefined },
    })
    const { store, agent } = harness
    const opened = store.dispatch(agent.actions.openSession({ sessionId: 's1', provider: 'scripted' }))
    return { ...harness, opened, answer }
  }

  it.each([{ runId: 'r1' }, { runId: 'r1', sessionId: 's1' }])(
    'a run that may come with it is neither resumed nor commanded yet: %o',
    async (target) => {
      const { store, agent, opened, answer } = createRestoring()
      const { resumeRun, cancelRun } = agent.actions
      const attempt = () => [store.dispatch(resumeRun(target)), store.dispatch(cancelRun(target))]
      for (const task of attempt()) await expect(task.unwrap()).rejects.toMatchObject({ code: 'restoring' })
      answer()
      await opened
      for (const task of attempt()) await expect(task.unwrap()).rejects.toMatchObject({ code: 'missing_run' })
    },
  )

  it('the runs of another one are as they are', async () => {
    const { store, agent } = createRestoring()
    const other = store.dispatch(agent.actions.resumeRun({ runId: 'r1', sessionId: 's2' }))
    await expect(other.unwrap()).rejects.toMatchObject({ code: 'missing_run' })
  })
})

describe('a run of one session', () => {
  it('is not resumed in the name of another', async () => {
    const { store, agent } = createHarness({ providers: [createScriptedProvider({ steps: [] })], ids: ['r1'] })
    await store.dispatch(agent.actions.startRun(start))
    const foreign = store.dispatch(agent.actions.resumeRun({ runId: 'r1', sessionId: 's2' }))
    await expect(foreign.unwrap()).rejects.toMatchObject({ code: 'missing_run' })
  })
})
