import { AgentModuleError, replayAgentEvents, type AgentEvent } from 'redux-agent'
import {
  createGate,
  createScriptedProvider,
  type ScriptedProviderOptions,
  type ScriptedStep,
} from 'redux-agent/testing'
import { describe, expect, it } from 'vitest'
import { createHarness, endOfTask, expectSilentConsole } from './createHarness.ts'
import { createRun, createShortRun } from './createRunEvents.ts'

expectSilentConsole()

function begin(steps: readonly ScriptedStep[], options: Partial<ScriptedProviderOptions<unknown>> = {}) {
  const provider = createScriptedProvider({ steps, ...options })
  const harness = createHarness({ providers: [provider], ids: ['r1'] })
  const task = harness.store.dispatch(
    harness.agent.actions.startRun({ sessionId: 's1', provider: 'scripted', input: 'go' }),
  )
  const isRequesting = () => harness.selectors.selectIsRequesting(harness.store.getState(), 's1')
  return { ...harness, provider, task, isRequesting }
}

const opening = () => createShortRun('r1').slice(0, 3)

describe('the connection of a run', () => {
  it('connects, is connected with the first chunk, and idle once the run has ended', async () => {
    const gate = createGate()
    const { connection, connections, isRequesting, task, selectors, store } = begin([
      { gate },
      { events: createShortRun('r1') },
    ])
    expect(connection('r1')).toMatchObject({
      runId: 'r1',
      sessionId: 's1',
      providerId: 'scripted',
      state: 'connecting',
    })
    expect(isRequesting()).toBe(true)
    expect(selectors.selectConnectionState(store.getState(), { sessionId: 's1' })).toBe('connecting')
    gate.open()
    await task.unwrap()
    expect(connections()).toEqual(['connected', 'idle'])
    expect(connection('r1')).toMatchObject({ state: 'idle', detached: false })
    expect(isRequesting()).toBe(false)
  })

  it('is idle where the run waits for a person: it is parked', async () => {
    const run = createRun('r1')
    const events = [run.create('run.started', {}), run.create('approval.requested', { approvalId: 'a' })]
    const { connection, task, isRequesting, state } = begin([{ events }])
    await task.unwrap()
    expect(connection('r1')).toMatchObject({ state: 'idle', detached: false })
    expect(connection('r1')).not.toHaveProperty('error')
    expect(state().runs.r1?.status).toBe('running')
    expect(isRequesting()).toBe(true)
  })

  it('is not recoverable where the stream ends before the run does', async () => {
    const { connection, task, state } = begin([{ events: opening() }])
    await task.unwrap()
    expect(connection('r1')).toMatchObject({ state: 'unrecoverable', error: { code: 'unexpected_end' } })
    expect(connection('r1')?.error?.message).toContain('scripted: The stream ended')
    expect(state().runs.r1?.status).toBe('running')
  })

  it('is not recoverable where nothing came at all', async () => {
    const { connection, task, state } = begin([])
    await task.unwrap()
    expect(connection('r1')).toMatchObject({ state: 'unrecoverable', error: { code: 'unexpected_end' } })
    expect(state().runs).toEqual({})
  })

  it('has failed where the provider makes the end of the run of a lost wire', async () => {
    const error = Object.assign(new Error('Cut.'), { code: 'network' })
    const { connection, task, state, provider } = begin([{ events: opening() }, { error }], {
      transformError: (_, { events }) => [
        events.create('run.failed', { error: { message: 'Lost.' } }, { sequence: 9 }),
      ],
    })
    await task.unwrap()
    expect(provider.calls.errors).toEqual([error])
    expect(connection('r1')).toMatchObject({ state: 'failed', error: { code: 'network' } })
    expect(state().runs.r1).toMatchObject({ status: 'failed', error: { message: 'Lost.' } })
  })

  it('is not recoverable where the provider makes nothing of a lost wire', async () => {
    const { connection, task, state } = begin([{ events: opening() }, { error: 'cut' }])
    await task.unwrap()
    expect(connection('r1')).toMatchObject({ state: 'unrecoverable', error: { code: 'provider_error' } })
    expect(state().runs.r1?.status).toBe('running')
  })

  it('says in a few words what went wrong, and nothing that cannot be stored', async () => {
    const error = new AgentModuleError({ name: 'WireError', code: 'busy', message: 'x'.repeat(5000), cause: 'secret' })
    const { connection, task } = begin([{ error }])
    await task.unwrap()
    expect(connection('r1')?.error).toEqual({ code: 'busy', message: `${'x'.repeat(300)}…` })
  })

  it('keeps the words of a foreign error out of the state, as they may hold anything', async () => {
    const error = Object.assign(new TypeError('GET https://x.invalid/?token=secret'), { code: 'has spaces' })
    const { connection, task, store } = begin([{ error }])
    await task.unwrap()
    expect(connection('r1')?.error?.code).toBe('provider_error')
    expect(JSON.stringify(store.getState())).not.toContain('secret')
  })

  it('has failed where the provider breaks the protocol, and the task says so', async () => {
    const foreign = createShortRun('r1', 'other')
    const { connection, task, state } = begin([{ events: opening() }, { events: [foreign[3]!] }])
    await expect(task.unwrap()).rejects.toMatchObject({ code: 'foreign_event' })
    expect(connection('r1')).toMatchObject({ state: 'failed', error: { code: 'foreign_event' } })
    expect(state()).toEqual(replayAgentEvents(opening()))
  })

  it('has failed where the provider fails before it opens anything', async () => {
    const provider = createScriptedProvider({ steps: [] })
    provider.createContext = () => {
      throw new Error('No context.')
    }
    const harness = createHarness({ providers: [provider], ids: ['r1'] })
    const task = harness.store.dispatch(
      harness.agent.actions.startRun({ sessionId: 's1', provider: 'scripted', input: 'go' }),
    )
    expect(await task).toEqual({ error: new Error('No context.') })
    expect(harness.connection('r1')).toMatchObject({ state: 'failed', error: { code: 'provider_error' } })
  })

  it('is idle where the wire breaks after the end of the run, which is not transformed', async () => {
    const { connection, task, provider } = begin([{ events: createShortRun('r1') }, { error: new Error('Late.') }])
    await task.unwrap()
    expect(provider.calls.errors).toEqual([])
    expect(connection('r1')).toMatchObject({ state: 'idle' })
    expect(connection('r1')).not.toHaveProperty('error')
  })

  it('of a run that was never asked for is none', () => {
    const { store, agent } = createHarness()
    store.dispatch(agent.events.connectionChanged({ runId: 'constructor', at: 1, state: 'failed' }))
    expect(store.getState().agent.connection).toEqual({ runs: {}, latestRunBySession: {} })
  })

  it('keeps the latest run of a session, and each run its own', async () => {
    const provider = createScriptedProvider<boolean>({
      steps: (ends, { runId }) => [{ events: ends ? createShortRun(runId) : createShortRun(runId).slice(0, 2) }],
    })
    const { store, agent, selectors } = createHarness({ providers: [provider], ids: ['r1', 'r2'] })
    await store.dispatch(agent.actions.startRun({ sessionId: 's1', provider: 'scripted', input: false }))
    await store.dispatch(agent.actions.startRun({ sessionId: 's1', provider: 'scripted', input: true }))
    expect(selectors.selectConnectionState(store.getState(), { sessionId: 's1' })).toBe('idle')
    expect(selectors.selectConnectionState(store.getState(), { runId: 'r1' })).toBe('unrecoverable')
    expect(selectors.selectConnectionState(store.getState(), { runId: 'r2' })).toBe('idle')
  })
})

describe('abort', () => {
  it('closes the local wire and leaves the run running, detached', async () => {
    const gate = createGate()
    const { agent, store, connection, connections, isRequesting, provider, task, state, selectors } = begin([
      { events: opening() },
      { gate },
      { events: createShortRun('r1').slice(3) },
    ])
    await gate.reached
    await endOfTask()
    store.dispatch(agent.actions.abortRun({ sessionId: 's1' }))
    expect(provider.calls.opens[0]!.signal.aborted).toBe(true)
    await task.unwrap()
    expect(connection('r1')).toMatchObject({ state: 'idle', detached: true })
    expect(connections()).toEqual(['connected', 'idle'])
    expect(provider.calls.errors).toEqual([])
    expect(state().runs.r1?.status).toBe('running')
    expect(isRequesting()).toBe(false)
    expect(selectors.selectMessages(store.getState(), 's1')).toMatchObject([{ status: 'abort' }])
    store.dispatch(agent.actions.abortRun({ runId: 'r1' }))
    expect(connections()).toHaveLength(2)
  })

  it('tells what had come before it', async () => {
    const gate = createGate()
    const run = createRun('r1')
    const events: AgentEvent[] = [run.create('run.started', {}), run.create('reasoning.started', { reasoningId: 'x' })]
    const delta = run.create('reasoning.delta', { reasoningId: 'x', delta: 'hm' })
    const { agent, store, state, task } = begin([{ events }, { events: [delta] }, { gate }])
    await gate.reached
    await endOfTask()
    store.dispatch(agent.actions.abortRun({ runId: 'r1' }))
    expect(state()).toEqual(replayAgentEvents([...events, delta]))
    await task
  })

  it('before the first chunk leaves a run that never was, idle and detached', async () => {
    const gate = createGate()
    const { agent, store, connection, isRequesting, task, state } = begin([{ gate }, { events: createShortRun('r1') }])
    await gate.reached
    store.dispatch(agent.actions.abortRun({ runId: 'r1' }))
    await task.unwrap()
    expect(connection('r1')).toMatchObject({ state: 'idle', detached: true })
    expect(isRequesting()).toBe(false)
    gate.open()
    await endOfTask()
    expect(state().runs).toEqual({})
  })

  it('reaches the runs that are meant and no others', async () => {
    const gate = createGate()
    const provider = createScriptedProvider<string>({
      steps: (sessionId, { runId }) => [{ events: createShortRun(runId, sessionId).slice(0, 1) }, { gate }],
    })
    const { store, agent, connection } = createHarness({ providers: [provider], ids: ['r1', 'r2', 'r3'] })
    const tasks = ['s1', 's1', 's2'].map((sessionId) =>
      store.dispatch(agent.actions.startRun({ sessionId, provider: 'scripted', input: sessionId })),
    )
    await endOfTask()
    store.dispatch(agent.actions.abortRun({}))
    store.dispatch(agent.actions.abortRun({ runId: 'unknown' }))
    expect(['r1', 'r2', 'r3'].map((runId) => connection(runId)?.state)).toEqual(['connected', 'connected', 'connected'])
    store.dispatch(agent.actions.abortRun({ runId: 'r2' }))
    expect(['r1', 'r2', 'r3'].map((runId) => connection(runId)?.detached)).toEqual([false, true, false])
    store.dispatch(agent.actions.abortRun({ sessionId: 's1' }))
    expect(['r1', 'r2', 'r3'].map((runId) => connection(runId)?.detached)).toEqual([true, true, false])
    store.dispatch(agent.actions.abortRun({ sessionId: 's2' }))
    await Promise.all(tasks)
  })

  it('of a wire whose run has ended claims nothing', async () => {
    const gate = createGate()
    const { agent, store, connection, task } = begin([{ events: createShortRun('r1') }, { gate }])
    await gate.reached
    await endOfTask()
    store.dispatch(agent.actions.abortRun({ sessionId: 's1' }))
    await task
    expect(connection('r1')).toMatchObject({ state: 'idle', detached: false })
  })
})

describe('the task of a run', () => {
  it('has the run id at once, and its result when the stream is over', async () => {
    const { task } = begin([{ events: createShortRun('r1') }])
    expect(task.runId).toBe('r1')
    expect(await task).toEqual({ data: { runId: 'r1' } })
    expect(await task.unwrap()).toEqual({ runId: 'r1' })
  })

  it('that nobody unwraps leaves no unhandled rejection', async () => {
    const unhandled: unknown[] = []
    const onUnhandled = (reason: unknown) => unhandled.push(reason)
    process.on('unhandledRejection', onUnhandled)
    try {
      const { task, store, agent } = begin([{ events: createShortRun('other') }])
      void store.dispatch(agent.actions.cancelRun({ runId: 'unknown' }))
      const result = await task
      expect(result).toMatchObject({ error: { code: 'foreign_event' } })
      await endOfTask()
      expect(unhandled).toEqual([])
    } finally {
      process.off('unhandledRejection', onUnhandled)
    }
  })

  it('is of the provider that was given, known by its id from then on', async () => {
    const harness = createHarness({ ids: ['r1', 'r2'] })
    const { store, agent } = harness
    const provider = createScriptedProvider({
      id: 'mine',
      steps: (_, { runId }) => [{ events: createShortRun(runId) }],
    })
    await store.dispatch(agent.actions.startRun({ sessionId: 's1', provider, input: null })).unwrap()
    await store.dispatch(agent.actions.startRun({ sessionId: 's1', provider: 'mine', input: null })).unwrap()
    expect(provider.calls.opens).toHaveLength(2)
    expect(harness.connection('r2')).toMatchObject({ providerId: 'mine', state: 'idle' })
  })
})
