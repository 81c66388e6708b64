import { createStore } from '@reduxjs/toolkit'
import { createPersistoid, getStoredState, persistReducer, persistStore, purgeStoredState } from 'redux-persist'
import createStockWebStorage from 'redux-persist/lib/storage/createWebStorage'
import { createPersistCheckpointStorage, createWebStorage, replayAgentEvents } from 'redux-agent'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createCheckpoint, createRun, createRunning } from './createCheckpoint.ts'
import { createSlowEngine, createSyncEngine, quotaError } from './createEngines.ts'
import { saveNow } from './saveNow.ts'

// Each trap twice: redux-persist used as its documents say falls into it, and this storage does not.

const key = 'redux-agent:checkpoint:s1'

/** A synchronous engine as redux-persist's own storages are: with promises around it. */
function wrap(engine: ReturnType<typeof createSyncEngine>) {
  return {
    getItem: async (key: string) => engine.getItem(key),
    setItem: async (key: string, value: string) => engine.setItem(key, value),
    removeItem: async (key: string) => engine.removeItem(key),
  }
}

interface Slice {
  cursor: unknown
}
const reducer = (state: Slice = { cursor: 0 }, action: { type: string; cursor?: number }): Slice =>
  action.cursor === undefined ? state : { ...state, cursor: action.cursor }

beforeEach(() => {
  vi.useFakeTimers()
  vi.spyOn(console, 'error').mockReturnValue()
})
afterEach(() => void vi.useRealTimers())

describe('no storage here (trap 2)', () => {
  it('is passed over in silence by redux-persist: nothing is stored and nobody hears of it', async () => {
    const stock = createStockWebStorage('local')
    await expect(stock.setItem('a', 'b')).resolves.toBeUndefined()
    await expect(stock.getItem('a')).resolves.toBeUndefined()
  })
  it('is an error of its own', async () => {
    const storage = createPersistCheckpointStorage({ storage: createWebStorage(() => undefined) })
    await expect(storage.load('s1')).rejects.toMatchObject({ code: 'unavailable' })
    await expect(storage.save(createRunning(1))).rejects.toMatchObject({ code: 'unavailable' })
  })
})

describe('a storage that is slow to read (trap 4)', () => {
  it('is written over with the initial state by persistReducer', async () => {
    const engine = createSyncEngine()
    engine.texts.set('persist:agent', JSON.stringify({ cursor: '99', _persist: '{"version":-1,"rehydrated":true}' }))
    const storage = { ...wrap(engine), getItem: () => new Promise<string>(() => {}) }
    const store = createStore(persistReducer({ key: 'agent', storage }, reducer) as never)
    persistStore(store)
    await vi.advanceTimersByTimeAsync(5001)
    store.dispatch({ type: 'event', cursor: 1 } as never)
    await vi.advanceTimersByTimeAsync(100)
    expect(JSON.parse(engine.texts.get('persist:agent')!).cursor).toBe('1')
  })
  it('is not written before it was read', async () => {
    const engine = createSyncEngine()
    await saveNow(createPersistCheckpointStorage({ storage: engine }), createRunning(9))
    let answer!: (text: string | null) => void
    const slow = { ...wrap(engine), getItem: () => new Promise<string | null>((resolve) => (answer = resolve)) }
    const storage = createPersistCheckpointStorage({ storage: slow })
    const load = storage.load('s1')
    const saved = storage.save(createRunning(1))
    void storage.flush('s1')
    await vi.advanceTimersByTimeAsync(60_000)
    expect(engine.texts.get(key)).toContain('word8')
    answer(engine.getItem(key))
    await vi.advanceTimersByTimeAsync(0)
    answer(null)
    await expect(load).resolves.toEqual(createRunning(9))
    await vi.advanceTimersByTimeAsync(10)
    await saved
    expect(engine.texts.get(key)).not.toContain('word8')
  })
})

describe('a migration that fails, newer or damaged data (traps 5 to 7)', () => {
  const stored = JSON.stringify({ cursor: '50', _persist: '{"version":2,"rehydrated":true}' })

  it.each([
    ['whose migration throws', stored, () => Promise.reject(new Error('No.'))],
    ['that is truncated', stored.slice(0, 30), undefined],
  ])('is written over by persistReducer: what is stored %s', async (_what, text, migrate) => {
    const engine = createSyncEngine()
    engine.texts.set('persist:agent', text)
    const config = { key: 'agent', storage: wrap(engine), ...(migrate && { migrate }) }
    const store = createStore(persistReducer(config, reducer) as never)
    persistStore(store)
    await vi.advanceTimersByTimeAsync(10)
    store.dispatch({ type: 'event', cursor: 1 } as never)
    await vi.advanceTimersByTimeAsync(100)
    expect(JSON.parse(engine.texts.get('persist:agent')!).cursor).toBe('1')
  })
  it('reaches the reducer from a newer version', async () => {
    const engine = createSyncEngine()
    const newer = { cursor: '"opaque"', _persist: '{"version":9,"rehydrated":true}' }
    engine.texts.set('persist:agent', JSON.stringify(newer))
    const store = createStore(persistReducer({ key: 'agent', version: 1, storage: wrap(engine) }, reducer) as never)
    persistStore(store)
    await vi.advanceTimersByTimeAsync(10)
    expect(store.getState()).toMatchObject({ cursor: 'opaque' })
  })
  it.each([
    ['newer', (text: string) => text.replace('"schemaVersion":1', '"schemaVersion":2'), 'unsupported_version'],
    ['truncated', (text: string) => text.slice(0, 100), 'invalid_checkpoint'],
  ])('is put in quarantine when it is %s, and kept there', async (_what, change, code) => {
    const engine = createSyncEngine()
    await saveNow(createPersistCheckpointStorage({ storage: engine }), createRunning(5))
    const damaged = change(engine.texts.get(key)!)
    engine.texts.set(key, damaged)
    const storage = createPersistCheckpointStorage({ storage: engine })
    await expect(storage.load('s1')).rejects.toMatchObject({ code })
    await saveNow(storage, createRunning(1))
    expect(JSON.parse(engine.texts.get(`${key}:quarantine`)!).texts).toEqual({ [key]: damaged })
  })
})

describe('a throttle under a stream (traps 8 and 9)', () => {
  it('starves a persistoid of several keys', async () => {
    const engine = createSyncEngine()
    const persistoid = createPersistoid({ key: 'agent', storage: wrap(engine), throttle: 250 })
    for (let at = 0; at < 1500; at += 10) {
      persistoid.update({ runs: { at }, messages: { at }, order: [at], cursor: { at } })
      await vi.advanceTimersByTimeAsync(10)
    }
    expect(engine.writes).toEqual([])
  })
  it('holds the write back no longer than it says', async () => {
    const engine = createSyncEngine()
    const storage = createPersistCheckpointStorage({ storage: engine, throttle: 250 })
    await storage.load('s1')
    for (let at = 0; at < 1500; at += 10) {
      void storage.save(createRunning(at / 10))
      await vi.advanceTimersByTimeAsync(10)
    }
    expect(engine.writes.length).toBeGreaterThanOrEqual(3)
  })
})

describe('what a save writes (trap 10)', () => {
  const past = Array.from({ length: 50 }, (_, index) => createRun({ runId: `done${index}`, words: 20 })).flat()
  const stateAt = (words: number) => replayAgentEvents([...past, ...createRun({ runId: 'r1', words, ends: false })])

  it('is the whole slice, as JSON in JSON, with a persistoid of the slice', async () => {
    const engine = createSyncEngine()
    const persistoid = createPersistoid({ key: 'agent', storage: wrap(engine) })
    for (const words of [1, 2]) {
      persistoid.update(stateAt(words))
      await persistoid.flush()
    }
    expect(engine.writes.at(-1)!.size).toBeGreaterThan(JSON.stringify(stateAt(2)).length)
  })
  it('is the active turn', async () => {
    const engine = createSyncEngine()
    const storage = createPersistCheckpointStorage({ storage: engine })
    for (const words of [1, 2]) {
      engine.writes.length = 0
      await saveNow(storage, createCheckpoint(stateAt(words)))
    }
    expect(engine.writes).toHaveLength(1)
    expect(engine.writes[0]!.size).toBeLessThan(JSON.stringify(stateAt(2)).length / 10)
  })
})

describe('a full storage (trap 11)', () => {
  it('is told nobody by flush, and the write is never made up for', async () => {
    const engine = createSyncEngine()
    const persistoid = createPersistoid({ key: 'agent', storage: wrap(engine) })
    engine.fault = quotaError()
    const state = { checkpoint: { cursor: 1 } }
    persistoid.update(state)
    await expect(persistoid.flush()).resolves.toBeUndefined()
    engine.fault = undefined
    persistoid.update(state)
    await persistoid.flush()
    expect(engine.texts.size).toBe(0)
  })
  it('rejects the save, and the same checkpoint can be saved again', async () => {
    const engine = createSyncEngine()
    const storage = createPersistCheckpointStorage({ storage: engine })
    await storage.load('s1')
    const checkpoint = createRunning(1)
    engine.fault = quotaError()
    await expect(saveNow(storage, checkpoint)).rejects.toMatchObject({ code: 'quota_exceeded' })
    engine.fault = undefined
    await saveNow(storage, checkpoint)
    await expect(storage.load('s1')).resolves.toEqual(checkpoint)
  })
})

describe('what is deleted (trap 12)', () => {
  it('comes back by what a persistoid still has in mind', async () => {
    const engine = createSyncEngine()
    const config = { key: 'agent', storage: wrap(engine), throttle: 100 }
    const persistoid = createPersistoid(config)
    persistoid.update({ checkpoint: { cursor: 1 } })
    await purgeStoredState(config)
    await vi.advanceTimersByTimeAsync(200)
    expect(engine.texts.size).toBe(1)
  })
  it('stays deleted', async () => {
    const engine = createSyncEngine()
    const storage = createPersistCheckpointStorage({ storage: engine, throttle: 100 })
    await storage.load('s1')
    const saved = storage.save(createRunning(1))
    await storage.forget('s1')
    await vi.advanceTimersByTimeAsync(200)
    expect(engine.texts.size).toBe(0)
    await expect(saved).resolves.toBeUndefined()
  })
})

describe('a flush before what is stored was read (trap 13)', () => {
  it('resolves without a write with persistStore', async () => {
    const engine = createSyncEngine()
    const store = createStore(persistReducer({ key: 'agent', storage: wrap(engine) }, reducer) as never)
    const persistor = persistStore(store)
    store.dispatch({ type: 'event', cursor: 1 } as never)
    await persistor.flush()
    expect(engine.texts.size).toBe(0)
  })
  it('resolves when it is written', async () => {
    const engine = createSyncEngine()
    const storage = createPersistCheckpointStorage({ storage: engine, throttle: 1000 })
    void storage.load('s1')
    void storage.save(createRunning(1))
    await storage.flush('s1')
    expect(engine.texts.get(key)).toContain('word0')
  })
})

describe('two tabs on one session (trap 25)', () => {
  it('loses a tab’s run: the last writer wins', async () => {
    const engine = createSyncEngine()
    for (const runId of ['a', 'b']) {
      const persistoid = createPersistoid({ key: 'agent', storage: wrap(engine) })
      persistoid.update({ checkpoint: replayAgentEvents(createRun({ runId })) })
      await persistoid.flush()
    }
    expect(engine.texts.get('persist:agent')).not.toContain('1:a:m1')
  })
  it('keeps what has ended in either', async () => {
    const engine = createSyncEngine()
    const tabs = ['a', 'b'].map((runId) => ({ runId, storage: createPersistCheckpointStorage({ storage: engine }) }))
    await Promise.all(tabs.map(({ storage }) => storage.load('s1')))
    for (const { runId, storage } of tabs) {
      await saveNow(storage, createCheckpoint(replayAgentEvents(createRun({ runId }))))
    }
    const loaded = await createPersistCheckpointStorage({ storage: engine }).load('s1')
    expect(Object.keys(loaded!.state.runs).sort()).toEqual(['a', 'b'])
  })
})

describe('what JSON cannot express (trap 26)', () => {
  const input = { at: new Date(0), error: new Error('No.'), map: new Map([[1, 2]]) }

  it('comes back as something else', async () => {
    const engine = createSyncEngine()
    const config = { key: 'agent', storage: wrap(engine) }
    const persistoid = createPersistoid(config)
    persistoid.update({ checkpoint: input })
    await persistoid.flush()
    const changed = { at: '1970-01-01T00:00:00.000Z', error: {}, map: {} }
    await expect(getStoredState(config)).resolves.toEqual({ checkpoint: changed })
  })
  it('is refused', async () => {
    const storage = createPersistCheckpointStorage({ storage: createSyncEngine() })
    const saved = saveNow(storage, createRunning(1, { inputByRun: { r1: input } }))
    await expect(saved).rejects.toMatchObject({ code: 'not_serializable' })
  })
})

describe('a synchronous engine (trap 28)', () => {
  it('breaks redux-persist', () => {
    expect(() => getStoredState({ key: 'agent', storage: createSyncEngine() })).toThrow(/then/)
  })
  it('is taken as it is', async () => {
    const storage = createPersistCheckpointStorage({ storage: createSyncEngine() })
    await expect(storage.load('s1')).resolves.toBeUndefined()
    await saveNow(storage, createRunning(1))
    await expect(storage.load('s1')).resolves.toEqual(createRunning(1))
  })
})

describe('writes of a slow engine', () => {
  it('overtake each other with a persistoid, so that an older one may end last', async () => {
    const engine = createSlowEngine()
    const persistoid = createPersistoid({ key: 'agent', storage: engine })
    for (const cursor of [1, 2]) {
      persistoid.update({ checkpoint: { cursor } })
      await vi.advanceTimersByTimeAsync(5)
    }
    const [first, second] = [...engine.underWay]
    second!.end()
    first!.end()
    expect(engine.texts.get('persist:agent')).toContain('cursor\\":1')
  })
  it('come one after the other', async () => {
    const engine = createSlowEngine()
    const storage = createPersistCheckpointStorage({ storage: engine })
    await storage.load('s1')
    for (const words of [1, 2]) {
      void storage.save(createRunning(words))
      await vi.advanceTimersByTimeAsync(5)
    }
    expect(engine.underWay).toHaveLength(1)
    engine.underWay[0]!.end()
    await vi.advanceTimersByTimeAsync(5)
    engine.underWay[0]!.end()
    await storage.flush('s1')
    expect(engine.texts.get(key)).toContain('word1')
  })
})
