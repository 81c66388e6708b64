import {
  addListener,
  clearAllListeners,
  combineReducers,
  configureStore,
  createListenerMiddleware,
  type Middleware,
} from '@reduxjs/toolkit'
import { createAgentRuntime, type AgentRuntimeOptions } from 'redux-agent'
import { createGate, createScriptedProvider, type ScriptedStep } from 'redux-agent/testing'
import { describe, expect, it, vi } from 'vitest'
import { createOpening, grant } from './createCommandRun.ts'
import { createFakeEnvironment, endOfTask } from './createHarness.ts'
import { createRun } from './createRunEvents.ts'
import { noticeUncaught } from './noticeUncaught.ts'

const { uncaught, unhandled } = noticeUncaught()

/** A store whose app has a middleware of its own before the runtime's. */
async function createApp(
  answer: readonly ScriptedStep[],
  outer: Middleware = () => (next) => next,
  options: Pick<AgentRuntimeOptions<'agent'>, 'batch'> = {},
) {
  const opening = createOpening(createRun('r1'))
  const provider = createScriptedProvider({
    steps: [{ events: opening }, { gate: createGate() }],
    commands: { 'approval.resolve': answer, 'run.cancel': answer },
  })
  const fake = createFakeEnvironment({ ids: ['r1', 'c1', 'c2'] })
  const agent = createAgentRuntime({ ...options, providers: [provider], environment: fake.environment })
  const store = configureStore({
    reducer: { agent: agent.reducer },
    middleware: (getDefault) => getDefault().concat(outer, agent.middleware),
    devTools: false,
  })
  store.dispatch(agent.actions.startRun({ sessionId: 's1', provider: 'scripted', input: null }))
  await endOfTask()
  return {
    ...fake,
    agent,
    store,
    provider,
    approve: () =>
      store.dispatch(agent.actions.resolveApproval({ runId: 'r1', approvalId: 'a', decision: 'approved' })),
    cancel: () => store.dispatch(agent.actions.cancelRun({ runId: 'r1' })),
    commands: () => Object.values(agent.selectors.selectCommandStates(store.getState(), 's1')),
    state: () => agent.selectors.selectAgentState(store.getState(), 's1'),
  }
}

/** A middleware that does something with the actions of one type, once or always. */
const around =
  (type: string, handle: (next: () => unknown) => unknown): Middleware =>
  () =>
  (next) =>
  (action) =>
    (action as { type: string }).type === `agent/${type}` ? handle(() => next(action)) : next(action)

describe('a middleware of the app', () => {
  it('that throws after it passed a command on does not stop it, nor leaves its failure unhandled', async () => {
    const gate = createGate()
    const app = await createApp(
      [{ gate }, { error: new Error('Down.') }],
      around('commandSubmitted', (next) => {
        next()
        throw new Error('The app fails.')
      }),
    )
    await expect(app.approve().unwrap()).rejects.toThrow('The app fails.')
    expect(app.commands()).toMatchObject([{ status: 'submitting' }])
    await expect(app.approve().unwrap()).rejects.toMatchObject({ code: 'already_submitted' })
    gate.open()
    await endOfTask()
    await endOfTask()
    expect(app.commands()).toMatchObject([{ status: 'failed', error: { code: 'provider_error' } }])
    expect(app.provider.calls.commands).toHaveLength(1)
    expect(unhandled).not.toHaveBeenCalled()
  })

  it('that does not pass a command on has it fail as interrupted, and free again', async () => {
    let isHeld = true
    const app = await createApp([], around('commandSubmitted', (next) => (isHeld ? undefined : next())))
    await expect(app.approve().unwrap()).rejects.toMatchObject({ code: 'interrupted', retryable: true })
    expect(app.provider.calls.commands).toEqual([])
    isHeld = false
    await app.approve().unwrap()
    expect(app.commands()).toMatchObject([{ status: 'succeeded', key: 'r1:command:c1' }])
  })
})

describe('a part of the app that throws when it is told', () => {
  it.each<[string, { messageId: string; delta: string }[]]>([
    ['by themselves', []],
    ['with the end of the answer', [{ messageId: 'm', delta: 'So be it.' }]],
  ])('of a command’s facts, %s, does not make it fail: it is reported as uncaught', async (_, deltas) => {
    let awaited: string | undefined
    const app = await createApp(
      [
        { events: (events) => [grant(events), events.create('message.started', { messageId: 'm', role: 'assistant' })] },
        { events: (events) => deltas.map((delta) => events.create('message.delta', delta)) },
      ],
      around('eventsReceived', (next) => {
        next()
        if (awaited === undefined || String(app.state().messages['2:r1:m']?.content ?? '') !== awaited) return
        awaited = undefined
        throw new Error('The app fails.')
      }),
    )
    awaited = deltas.map(({ delta }) => delta).join('')
    await app.approve().unwrap()
    await endOfTask()
    expect(app.commands()).toMatchObject([{ status: 'succeeded' }])
    expect(app.state().approvals['2:r1:a']?.decision).toBe('approved')
    expect(app.state().issues).toEqual([])
    expect(uncaught).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ message: 'The app fails.' }),
      'uncaughtException',
    )
  })

  it('of a batch that is full costs neither the command nor what comes after it', async () => {
    let isBroken = false
    const app = await createApp(
      [{ events: (events) => [grant(events), events.create('task.created', { taskId: 't', title: 'x' })] }],
      around('eventsReceived', (next) => {
        next()
        if (isBroken) throw new Error('The app fails.')
      }),
      { batch: { maxEvents: 1 } },
    )
    isBroken = true
    await app.approve().unwrap()
    await endOfTask()
    expect(app.commands()).toMatchObject([{ status: 'succeeded' }])
    expect(app.state().tasks['2:r1:t']).toBeDefined()
    expect(uncaught).toHaveBeenCalledTimes(2)
  })

  it('of the wire of a cancelled run leaves no command submitting', async () => {
    const said = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    let isBroken = false
    const app = await createApp(
      [{ events: (events) => [events.create('run.cancelled', {})] }],
      around('connectionChanged', (next) => {
        next()
        if (isBroken) throw new Error('The app fails.')
      }),
    )
    isBroken = true
    await app.cancel().unwrap()
    await endOfTask()
    expect(app.commands()).toMatchObject([{ status: 'succeeded' }])
    expect(said.mock.calls.flat().map(String).join()).toContain('The app fails.')
  })
})

describe('an app’s own listener middleware', () => {
  it('may clear its listeners: those of the runtime stay', async () => {
    const app = await createApp([{ events: (events) => [grant(events)] }])
    app.store.dispatch(clearAllListeners())
    await app.approve().unwrap()
    expect(app.commands()).toMatchObject([{ status: 'succeeded' }])
  })

  it('after the runtime’s gets what is said to it', () => {
    const agent = createAgentRuntime()
    const listeners = createListenerMiddleware({ extra: 'the app’s' })
    const store = configureStore({
      reducer: { agent: agent.reducer },
      middleware: (getDefault) =>
        getDefault({ serializableCheck: false }).concat(agent.middleware, listeners.middleware),
      devTools: false,
    })
    const effect = vi.fn()
    const add = addListener.withTypes<unknown, typeof store.dispatch, string>()
    store.dispatch(add({ type: 'x', effect: (_action, api) => effect(api.extra) }))
    store.dispatch({ type: 'x' })
    store.dispatch(clearAllListeners())
    store.dispatch({ type: 'x' })
    expect(effect).toHaveBeenCalledExactlyOnceWith('the app’s')
  })
})

describe('a reducer that the app takes out for a while', () => {
  it('costs no fact and leaves no command submitting', async () => {
    const gate = createGate()
    const app = await createApp([{ gate }, { events: (events) => [grant(events)] }])
    const approved = app.approve()
    await endOfTask()
    const { store } = app
    store.replaceReducer(combineReducers({ other: (state = 0) => state }) as never)
    gate.open()
    await approved.unwrap()
    store.replaceReducer(combineReducers({ agent: app.agent.reducer }) as never)
    await app.approve()
    expect(app.commands()).toMatchObject([{ status: 'succeeded' }])
    expect(app.state().approvals['2:r1:a']?.decision).toBe('approved')
    expect(uncaught).not.toHaveBeenCalled()
  })
})
