import { execFileSync } from 'node:child_process'
import {
  combineReducers,
  combineSlices,
  configureStore,
  createDynamicMiddleware,
  createStore,
  type Store,
  type StoreEnhancer,
  type UnknownAction,
} from '@reduxjs/toolkit'
import { ActionCreators, instrument, type LiftedState } from '@redux-devtools/instrument'
import { PERSIST, persistReducer, persistStore } from 'redux-persist'
import { createAgentRuntime, createPersistCheckpointStorage, replayAgentEvents, type AgentCheckpoint } from 'redux-agent'
import { createScriptedProvider, type ScriptedStep } from 'redux-agent/testing'
import { afterEach, beforeEach, describe, expect, it, vi, type MockInstance } from 'vitest'
import { createCheckpoint, createRun, createRunning } from './createCheckpoint.ts'
import { createSyncEngine } from './createEngines.ts'
import { saveNow } from './saveNow.ts'

// Each trap twice: an app that wraps its reducer as redux-persist's documents say, and one with this runtime in it.

const key = 'redux-agent:checkpoint:s1'
const log = createRun({ runId: 'r1' })
const replayed = replayAgentEvents(log)

interface Slice {
  cursor: number
  settings: Readonly<Record<string, number>>
}
const initial: Slice = { cursor: 0, settings: { x: 1, y: 2 } }
const reducer = (state: Slice = initial, action: { type: string; by?: number }): Slice =>
  action.by === undefined ? state : { ...state, cursor: state.cursor + action.by }

function wrap(engine: ReturnType<typeof createSyncEngine>) {
  return {
    getItem: async (key: string) => engine.getItem(key),
    setItem: async (key: string, value: string) => engine.setItem(key, value),
    removeItem: async (key: string) => engine.removeItem(key),
  }
}

const store = (text: object) =>
  JSON.stringify({
    ...Object.fromEntries(Object.entries(text).map(([name, value]) => [name, JSON.stringify(value)])),
    _persist: '{"version":-1,"rehydrated":true}',
  })
type Lifted = Store<LiftedState<unknown, UnknownAction, null>>
const lift = (of: object) => (of as { liftedStore: Lifted }).liftedStore

/** An app that persists its slice by wrapping the reducer. */
function createWrapped({ enhancer, kept }: { enhancer?: StoreEnhancer; kept?: object } = {}) {
  const engine = createSyncEngine()
  if (kept) engine.texts.set('persist:agent', store(kept))
  const wrapped = () => persistReducer({ key: 'agent', storage: wrap(engine) }, reducer) as never
  const app = createStore(wrapped(), enhancer as never)
  const persistor = persistStore(app)
  const send = (by: number) => app.dispatch({ type: 'event', by } as never)
  const stored = () => Number(JSON.parse(engine.texts.get('persist:agent') ?? '{}').cursor)
  return { engine, wrapped, app, persistor, send, stored }
}

/** An app with this runtime, which has kept a run with redux-persist's parts. */
async function createKept(enhancer?: StoreEnhancer) {
  const engine = createSyncEngine()
  const read = vi.spyOn(engine, 'getItem')
  const script: ScriptedStep[] = [{ events: log }]
  const provider = createScriptedProvider({ steps: () => script.splice(0) })
  let runs = 0
  const agent = createAgentRuntime({
    environment: { createId: () => `r${(runs += 1)}`, requestFrame: undefined },
    providers: [provider],
    checkpointStorage: createPersistCheckpointStorage({ storage: engine }),
  })
  const app = configureStore({
    reducer: { agent: agent.reducer },
    middleware: (getDefault) => getDefault().concat(agent.middleware),
    enhancers: (getDefault) => (enhancer ? getDefault().concat(enhancer) : getDefault()),
    devTools: false,
  })
  await app.dispatch(agent.actions.openSession({ sessionId: 's1' })).unwrap()
  await app.dispatch(agent.actions.startRun({ sessionId: 's1', provider: 'scripted', input: {} })).unwrap()
  await vi.advanceTimersByTimeAsync(2000)
  const state = () => agent.selectors.selectAgentState(app.getState(), 's1')
  return { engine, read, agent, app, script, provider, state, texts: () => Object.fromEntries(engine.texts) }
}

let said: MockInstance
beforeEach(() => {
  vi.useFakeTimers()
  said = vi.spyOn(console, 'error').mockReturnValue()
})
afterEach(() => void vi.useRealTimers())

describe('what happens before the storage was read (trap 3)', () => {
  it('is written over by REHYDRATE', async () => {
    const { app, send } = createWrapped({ kept: { cursor: 10 } })
    send(11)
    await vi.advanceTimersByTimeAsync(10)
    expect(app.getState()).toMatchObject({ cursor: 10 })
  })

  it('stays: a request waits for the restore, and what is older than memory is dropped', async () => {
    const { engine, agent, app, script } = await createKept()
    // The storage was slow, and what it has is older by now.
    let answer!: (checkpoint: AgentCheckpoint) => void
    const load = () => new Promise<AgentCheckpoint>((resolve) => (answer = resolve))
    const checkpointStorage = { ...createPersistCheckpointStorage({ storage: engine }), load }
    const opened = app.dispatch(agent.actions.openSession({ sessionId: 's2', checkpointStorage }))
    await vi.advanceTimersByTimeAsync(5001)
    await expect(opened.unwrap()).rejects.toMatchObject({ code: 'load_failed' })
    const events = createRun({ runId: 'r2', sessionId: 's2' })
    script.push({ events })
    await app.dispatch(agent.actions.startRun({ sessionId: 's2', provider: 'scripted', input: {} })).unwrap()
    const stored = replayAgentEvents(createRun({ runId: 'r2', words: 1, ends: false, sessionId: 's2' }))
    answer(createCheckpoint(stored, { sessionId: 's2' }))
    await vi.advanceTimersByTimeAsync(10)
    expect(agent.selectors.selectAgentState(app.getState(), 's2')).toEqual(replayAgentEvents(events))
  })
})

describe('what happens while nothing is written (trap 14)', () => {
  it('is not written when it is resumed', async () => {
    const { persistor, send, stored } = createWrapped()
    await vi.advanceTimersByTimeAsync(10)
    send(1)
    await vi.advanceTimersByTimeAsync(10)
    persistor.pause()
    send(2)
    persistor.persist()
    await persistor.flush()
    await vi.advanceTimersByTimeAsync(100)
    expect(stored()).toBe(1)
  })
})

describe('actions (trap 15)', () => {
  it('carry functions', async () => {
    const app = configureStore({
      reducer: persistReducer({ key: 'agent', storage: wrap(createSyncEngine()) }, reducer) as never,
      devTools: false,
    })
    persistStore(app)
    await vi.advanceTimersByTimeAsync(10)
    expect(said.mock.calls.flat().join()).toContain('non-serializable')
  })

  it('are plain: none of RTK’s checks has anything to say', async () => {
    const { state } = await createKept()
    expect(state()).toEqual(replayed)
    expect(said).not.toHaveBeenCalled()
  })
})

describe('a history that is imported (trap 16)', () => {
  it('throws in the reducer, as its actions have lost their functions', async () => {
    const enhancer = instrument() as StoreEnhancer
    const { app, send } = createWrapped({ enhancer })
    await vi.advanceTimersByTimeAsync(10)
    send(1)
    const history = JSON.parse(JSON.stringify(lift(app).getState()))
    const fresh = createWrapped({ enhancer })
    const load = () => lift(fresh.app).dispatch(ActionCreators.importState(history) as never)
    expect(load).toThrow('either rehydrate or register is not a function')
  })

  it('is shown, and neither read, written nor sent', async () => {
    const { app, engine, texts, read, provider, state } = await createKept(instrument() as StoreEnhancer)
    const before = texts()
    const [writes, reads] = [engine.writes.length, read.mock.calls.length]
    const history = JSON.parse(JSON.stringify(lift(app).getState()))
    lift(app).dispatch(ActionCreators.importState(history) as never)
    await vi.advanceTimersByTimeAsync(5000)
    expect(state()).toEqual(replayed)
    expect([texts(), engine.writes.length, read.mock.calls.length]).toEqual([before, writes, reads])
    expect(provider.calls.opens).toHaveLength(1)
  })
})

describe('an action that DevTools leaves out (trap 17)', () => {
  it('rewrites the storage from a history that never was', async () => {
    const { app, send, stored } = createWrapped({ enhancer: instrument() as StoreEnhancer })
    await vi.advanceTimersByTimeAsync(10)
    send(1)
    send(2)
    await vi.advanceTimersByTimeAsync(10)
    expect(stored()).toBe(3)
    lift(app).dispatch(ActionCreators.toggleAction(lift(app).getState().stagedActionIds.at(-2)!) as never)
    await vi.advanceTimersByTimeAsync(100)
    expect(stored()).toBe(2)
  })

  it('changes nothing in the storage', async () => {
    const { app, engine, texts } = await createKept(instrument() as StoreEnhancer)
    const [before, writes] = [texts(), engine.writes.length]
    for (const id of lift(app).getState().stagedActionIds.slice(2)) {
      lift(app).dispatch(ActionCreators.toggleAction(id) as never)
    }
    await vi.advanceTimersByTimeAsync(5000)
    expect([texts(), engine.writes.length]).toEqual([before, writes])
  })
})

describe('a reducer that is replaced, as by a hot reload (trap 18)', () => {
  it('reads and writes again', async () => {
    const { app, engine, wrapped, send } = createWrapped({ enhancer: instrument() as StoreEnhancer })
    await vi.advanceTimersByTimeAsync(10)
    send(1)
    await vi.advanceTimersByTimeAsync(10)
    const read = vi.spyOn(engine, 'getItem')
    const writes = engine.writes.length
    app.replaceReducer(wrapped())
    await vi.advanceTimersByTimeAsync(100)
    expect(read).toHaveBeenCalled()
    expect(engine.writes.length).toBeGreaterThan(writes)
  })

  it('neither reads nor writes, and keeps what there is', async () => {
    const { app, agent, engine, read, state } = await createKept(instrument() as StoreEnhancer)
    const [writes, reads] = [engine.writes.length, read.mock.calls.length]
    app.replaceReducer(combineReducers({ agent: agent.reducer }) as never)
    await vi.advanceTimersByTimeAsync(5000)
    expect([engine.writes.length, read.mock.calls.length]).toEqual([writes, reads])
    expect(state()).toEqual(replayed)
  })
})

describe('a slice that comes late (traps 19 and 20)', () => {
  it('is without its initial state until REHYDRATE', () => {
    const wrapped = persistReducer({ key: 'agent', storage: wrap(createSyncEngine()) }, reducer) as unknown as (
      state: undefined,
      action: object,
    ) => Partial<Slice>
    const action = { type: PERSIST, register: () => undefined, rehydrate: () => undefined }
    expect(wrapped(undefined, action).settings).toBeUndefined()
  })

  it('loses what a persisted root has of it', async () => {
    const engine = createSyncEngine()
    engine.texts.set('persist:root', store({ app: { cursor: 1 }, agent: { cursor: 50 } }))
    const root = combineReducers({ app: reducer as never })
    const app = createStore(persistReducer({ key: 'root', storage: wrap(engine) }, root) as never)
    persistStore(app)
    await vi.advanceTimersByTimeAsync(10)
    app.dispatch({ type: 'event', by: 2 } as never)
    await vi.advanceTimersByTimeAsync(100)
    expect(JSON.parse(engine.texts.get('persist:root')!)).not.toHaveProperty('agent')
  })

  it('has its own keys, and is whole as soon as it is there, also beside a persisted root', async () => {
    const { engine } = await createKept()
    const provider = createScriptedProvider({ steps: [] })
    const agent = createAgentRuntime({
      reducerPath: 'agent',
      environment: { requestFrame: undefined },
      providers: [provider],
      checkpointStorage: createPersistCheckpointStorage({ storage: engine }),
    })
    const late = createDynamicMiddleware()
    const slices = combineSlices({ app: (state: Slice = initial) => state }).withLazyLoadedSlices<{
      agent: ReturnType<typeof agent.reducer>
    }>()
    const app = configureStore({
      reducer: persistReducer({ key: 'root', blacklist: ['agent'], storage: wrap(engine) }, slices as never) as never,
      middleware: (getDefault) => getDefault({ serializableCheck: false }).concat(late.middleware),
      devTools: false,
    }) as Store
    persistStore(app)
    await vi.advanceTimersByTimeAsync(100)
    app.dispatch({ type: 'touched' })
    slices.inject({ reducerPath: 'agent', reducer: agent.reducer } as never)
    late.addMiddleware(agent.middleware)
    const state = () => agent.selectors.selectAgentState(app.getState() as never, 's1')
    expect(state().runs).toEqual({})
    await app.dispatch(agent.actions.openSession({ sessionId: 's1' }) as never)
    expect(state()).toEqual(replayed)
    await vi.advanceTimersByTimeAsync(100)
    expect(JSON.parse(engine.texts.get('persist:root')!)).not.toHaveProperty('agent')
    expect(engine.texts.get(`${key}:run:r1`)).toBeDefined()
  })
})

describe('what was stored before a field existed (trap 27)', () => {
  it('comes without the field’s default', async () => {
    const { app } = createWrapped({ kept: { cursor: 1, settings: { x: 5 } } })
    await vi.advanceTimersByTimeAsync(10)
    expect((app.getState() as unknown as Slice).settings).toEqual({ x: 5 })
  })

  it('is put aside, not applied in part', async () => {
    const engine = createSyncEngine()
    await saveNow(createPersistCheckpointStorage({ storage: engine }), createRunning(3))
    const piece = JSON.parse(engine.texts.get(key)!)
    delete piece.state.tasks
    engine.texts.set(key, JSON.stringify(piece))
    const storage = createPersistCheckpointStorage({ storage: engine })
    await expect(storage.load('s1')).rejects.toMatchObject({ code: 'invalid_checkpoint' })
    expect(engine.texts.get(`${key}:quarantine`)).toBeDefined()
  })
})

describe('the package’s deep imports (trap 1)', () => {
  const importInNode = (text: string) =>
    execFileSync(process.execPath, ['--input-type=module', '-e', `${text}; console.log('there')`], { stdio: 'pipe' })

  it('fail in Node, and the package’s root does not', () => {
    expect(() => importInNode("import 'redux-persist/lib/storage'")).toThrow('ERR_UNSUPPORTED_DIR_IMPORT')
    expect(String(importInNode("import { createPersistoid } from 'redux-persist'"))).toContain('there')
  })
})
