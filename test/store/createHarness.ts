import { configureStore, createAction, type Middleware, type StoreEnhancer, type UnknownAction } from '@reduxjs/toolkit'
import { createAgentRuntime, type AgentEnvironment, type AnyAgentProvider, type AgentRuntimeOptions } from 'redux-agent'
import { afterEach, beforeEach, expect, vi, type MockInstance } from 'vitest'

/** An environment whose clock, ids, timers, frames and network the test moves by hand; chance is always 1. */
export function createFakeEnvironment(options: { ids?: readonly string[]; frames?: boolean } = {}) {
  const { ids = [], frames = true } = options
  let time = 1000
  let made = 0
  const timers = new Set<{ callback: () => void; delay: number }>()
  const waitingFrames = new Set<() => void>()
  const sleepers = new Set<() => void>()
  const hidden = new Set<() => void>()
  let isOnline = true
  const environment: Partial<AgentEnvironment> = {
    now: () => time,
    createId: () => ids[made++] ?? `id${made}`,
    setTimer(callback, delay) {
      const timer = { callback, delay }
      timers.add(timer)
      return () => void timers.delete(timer)
    },
    random: () => 1,
    isOnline: () => isOnline,
    onWake(callback) {
      sleepers.add(callback)
      return () => void sleepers.delete(callback)
    },
    onHide(callback) {
      hidden.add(callback)
      return () => void hidden.delete(callback)
    },
    ...(frames && {
      requestFrame(callback: () => void) {
        waitingFrames.add(callback)
        return () => void waitingFrames.delete(callback)
      },
    }),
  }
  return {
    environment,
    /** The delays of the timers that are waiting. */
    delays: () => [...timers].map(({ delay }) => delay),
    frames: () => waitingFrames.size,
    advance: (milliseconds: number) => void (time += milliseconds),
    /** Lets the timers of one delay go off. */
    fireTimers(delay: number) {
      const due = [...timers].filter((timer) => timer.delay === delay)
      for (const timer of due) timers.delete(timer)
      for (const { callback } of due) callback()
      return due.length
    },
    /** Lets all timers go off that wait now. */
    fireAllTimers() {
      const due = [...timers]
      for (const timer of due) if (timers.delete(timer)) timer.callback()
      return due.length
    },
    /** Brings the page back to the person's eye. */
    wake: () => [...sleepers].forEach((callback) => callback()),
    /** Lets the page be hidden, or left. */
    hide: () => [...hidden].forEach((callback) => callback()),
    sleepers: () => sleepers.size,
    goOffline: () => void (isOnline = false),
    goOnline() {
      isOnline = true
      for (const callback of [...sleepers]) callback()
    },
    fireFrame() {
      const due = [...waitingFrames]
      waitingFrames.clear()
      for (const callback of due) callback()
    },
  }
}

/** Gives the end of the present task, when all that was settled by then has had its effects. */
export const endOfTask = () => new Promise<void>((resolve) => setImmediate(resolve))

export const appTouched = createAction('app/touched')

const countTouches = (state = 0, action: UnknownAction) => (appTouched.match(action) ? state + 1 : state)

interface HarnessOptions extends Omit<AgentRuntimeOptions<'agent'>, 'environment' | 'reducerPath'> {
  providers?: readonly AnyAgentProvider[]
  ids?: readonly string[]
  frames?: boolean
  enhancer?: StoreEnhancer
}

/** A real store with all of RTK's development checks, a runtime in it, and a record of the actions that passed. */
export function createHarness(options: HarnessOptions = {}) {
  const { ids, frames, enhancer, ...runtimeOptions } = options
  const fake = createFakeEnvironment({ ids, frames })
  const agent = createAgentRuntime({ reducerPath: 'agent', ...runtimeOptions, environment: fake.environment })
  const passed: UnknownAction[] = []
  const recorder: Middleware = () => (next) => (action) => {
    passed.push(action as UnknownAction)
    return next(action)
  }
  const store = configureStore({
    reducer: { touches: countTouches, agent: agent.reducer },
    middleware: (getDefault) => getDefault().concat(agent.middleware).concat(recorder),
    enhancers: (getDefault) => (enhancer ? getDefault().concat(enhancer) : getDefault()),
    devTools: false,
  })
  const { selectors } = agent
  return {
    ...fake,
    agent,
    store,
    selectors,
    passed,
    batches: () => passed.filter(agent.events.eventsReceived.match),
    /** The changes of a run's connection, in their order. */
    connections: () => passed.filter(agent.events.connectionChanged.match).map(({ payload }) => payload.state),
    connection: (runId: string) => selectors.selectRunConnection(store.getState(), runId),
    state: (sessionId = 's1') => selectors.selectAgentState(store.getState(), sessionId),
    commands: (sessionId = 's1') => Object.values(selectors.selectCommandStates(store.getState(), sessionId)),
  }
}

/** Fails a test in which anything is said on the console, such as a failed check of RTK's. */
export function expectSilentConsole(): void {
  let spies: MockInstance[] = []
  beforeEach(() => {
    spies = (['error', 'warn'] as const).map((method) => vi.spyOn(console, method).mockImplementation(() => undefined))
  })
  afterEach(() => {
    // That a check took long is for a slow machine to say.
    const said = spies.flatMap((spy) => spy.mock.calls).filter(([text]) => !/Middleware took \d+ms/.test(String(text)))
    expect(said).toEqual([])
  })
}
