import { createPersistCheckpointStorage, createWebStorageAgentCheckpointStorage, replayAgentEvents } from 'redux-agent'
import type { AgentCheckpoint, AgentEvent } from 'redux-agent'
import { describe, expect, it, vi } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { createCheckpoint, createRun, createRunning } from './createCheckpoint.ts'
import { createSyncEngine } from './createEngines.ts'
import { saveNow } from './saveNow.ts'

const head = 'redux-agent:checkpoint:s1'
const list = `${head}:runs`
const quarantine = `${head}:quarantine`
const settledRuns = (count: number) =>
  Array.from({ length: count }, (_, index) => createRun({ runId: `done${index}` })).flat()
const checkpointOf = (...runs: readonly AgentEvent[][]) => createCheckpoint(replayAgentEvents(runs.flat()))

/** An engine that holds a session of two settled runs and one that is not over. */
async function createFilled() {
  const engine = createSyncEngine()
  const checkpoint = checkpointOf(settledRuns(2), createRun({ runId: 'r1', ends: false }))
  await saveNow(createPersistCheckpointStorage({ storage: engine }), checkpoint)
  return { engine, checkpoint, open: () => createPersistCheckpointStorage({ storage: engine }) }
}

describe('a list of settled runs that is not what was written', () => {
  it.each([
    ['names a run twice', ['done0', 'done1', 'done0', 'done1', 'done1']],
    ['names runs that have no key', ['done0', '', '__proto__', 'constructor', ' ', 'x'.repeat(100_000), 'done1']],
    ['names the run that is not over', ['r1', 'done0', 'r1', 'done1']],
    ['is in another order', ['done1', 'done0']],
    ['is very long', ['done0', 'done1', ...Array.from({ length: 20_000 }, (_, index) => `no${index}`)]],
  ])('loses nothing where it %s, and is put right by the next run that ends', async (_what, runs) => {
    const { engine, checkpoint, open } = await createFilled()
    engine.texts.set(list, JSON.stringify({ runs }))
    const storage = open()
    const loaded = await storage.load('s1')
    expect(loaded).toEqual(checkpoint)
    const next = checkpointOf(settledRuns(2), createRun({ runId: 'r1' }))
    await saveNow(storage, next)
    expect((await open().load('s1'))?.state).toEqual(next.state)
    const kept = JSON.parse(engine.texts.get(list)!).runs as string[]
    expect(kept.filter((runId) => ['done0', 'done1', 'r1'].includes(runId)).sort()).toEqual(['done0', 'done1', 'r1'])
  })

  it.each([
    ['no object', '[]'],
    ['without runs', '{}'],
    ['of something else than ids', '{"runs":["done0",1]}'],
    ['an object of runs', '{"runs":{"length":1,"0":"done0"}}'],
    ['no JSON', '{"runs":["done0"'],
  ])('is put in quarantine with all of the session where it is %s, and the session starts clean', async (_what, text) => {
    const { engine, open } = await createFilled()
    engine.texts.set(list, text)
    const storage = open()
    await expect(storage.load('s1')).rejects.toMatchObject({ code: 'invalid_checkpoint' })
    const { texts } = JSON.parse(engine.texts.get(quarantine)!)
    expect(texts[list]).toBe(text)
    expect(texts[head]).toContain('"r1"')
    await expect(storage.load('s1')).resolves.toBeUndefined()
    await saveNow(storage, createRunning(1))
    expect(await open().load('s1')).toEqual(createRunning(1))
  })

  it.each<[string, (piece: AgentCheckpoint) => object]>([
    ['another run’s cursor', (piece) => ({ ...piece, cursorByRun: { r1: 'TOP' } })],
    ['another run’s input', (piece) => ({ ...piece, inputByRun: { r1: 1 } })],
    ['another run’s connection', (piece) => ({ ...piece, connectionByRun: { r1: { providerId: 'p' } } })],
    [
      'another run’s sequence',
      (piece) => ({ ...piece, state: { ...piece.state, lastSequenceByRun: { ...piece.state.lastSequenceByRun, r1: 99 } } }),
    ],
    ['a place that is none', (piece) => ({ ...piece, places: [2 ** 53] })],
    ['a place below the first', (piece) => ({ ...piece, places: [-1] })],
    ['places that are none', (piece) => ({ ...piece, places: {} })],
    ['too few places', (piece) => ({ ...piece, places: [] })],
  ])('a settled run’s key with %s is as broken as any other', async (_what, spoil) => {
    const { engine, open } = await createFilled()
    const key = `${head}:run:done0`
    engine.texts.set(key, JSON.stringify(spoil(JSON.parse(engine.texts.get(key)!))))
    await expect(open().load('s1')).rejects.toMatchObject({ code: 'invalid_checkpoint' })
    expect(Object.keys(JSON.parse(engine.texts.get(quarantine)!).texts)).toHaveLength(4)
  })

  it('goes on with places as high as they may be, and with those of runs that overlap in another order', async () => {
    const { engine, checkpoint, open } = await createFilled()
    for (const [runId, place] of [['done0', 2 ** 53 - 1], ['done1', 7]] as const) {
      const key = `${head}:run:${runId}`
      engine.texts.set(key, JSON.stringify({ ...JSON.parse(engine.texts.get(key)!), places: [place] }))
    }
    const storage = open()
    const loaded = (await storage.load('s1'))!
    expect(Object.keys(loaded.state.runs).sort()).toEqual(Object.keys(checkpoint.state.runs).sort())
    await saveNow(storage, loaded)
    expect((await open().load('s1'))?.state.order).toEqual(loaded.state.order)
    await saveNow(storage, checkpoint)
    expect((await open().load('s1'))?.state).toEqual(checkpoint.state)
  })

  it('takes over what a Web Storage of whole checkpoints left under the same key', async () => {
    const engine = createSyncEngine()
    const checkpoint = checkpointOf(settledRuns(2), createRun({ runId: 'r1', ends: false }))
    await saveNow(createWebStorageAgentCheckpointStorage(engine), checkpoint)
    const storage = createPersistCheckpointStorage({ storage: engine })
    expect(await storage.load('s1')).toEqual(checkpoint)
    await saveNow(storage, checkpoint)
    expect(engine.texts.has(`${head}:run:done1`)).toBe(true)
    expect((await createPersistCheckpointStorage({ storage: engine }).load('s1'))?.state).toEqual(checkpoint.state)
  })
})

describe('a Web Storage that is none', () => {
  it.each<[string, unknown]>([
    ['a promise', Promise.resolve('{}')],
    ['a number', 7],
    ['an object', {}],
  ])('gives %s: that is told, nothing is deleted, and nothing written over it', async (_what, given) => {
    const engine = createSyncEngine()
    engine.texts.set(head, 'kept')
    const storage = createWebStorageAgentCheckpointStorage({ ...engine, getItem: () => given as never })
    await expect(storage.load('s1')).rejects.toMatchObject({ code: 'load_failed', cause: expect.any(TypeError) as TypeError })
    await expect(storage.save(createRunning(1))).rejects.toMatchObject({ code: 'load_failed' })
    expect([...engine.texts]).toEqual([[head, 'kept']])
  })

  it('is given what is no checkpoint: the save fails as one, and what is there stays', async () => {
    const engine = createSyncEngine()
    engine.texts.set(head, 'kept')
    const storage = createWebStorageAgentCheckpointStorage(engine)
    const save = storage.save({ ...createRunning(1), state: undefined as never })
    await expect(save).rejects.toMatchObject({ name: 'AgentCheckpointError', code: 'save_failed', cause: expect.any(TypeError) as TypeError })
    expect([...engine.texts]).toEqual([[head, 'kept']])
  })

  it('gives nothing in its own way, undefined: the session starts clean', async () => {
    const engine = createSyncEngine()
    const storage = createWebStorageAgentCheckpointStorage({ ...engine, getItem: () => undefined as never })
    await expect(storage.load('s1')).resolves.toBeUndefined()
    await storage.save(createRunning(1))
    expect([...engine.texts.keys()]).toEqual([head])
  })
})

describe('an engine that gives back something else', () => {
  it.each<[string, unknown]>([
    ['a number', 7],
    ['a boolean', false],
    ['an object', { schemaVersion: 1 }],
    ['bytes', Buffer.from('{"schemaVersion":1}')],
    ['a big integer', 7n],
    ['a function', () => 'text'],
    ['a symbol', Symbol('text')],
  ])('than text, %s: puts it aside and starts clean', async (_what, raw) => {
    const engine = createSyncEngine()
    const getItem = (key: string) => (key === head && !engine.texts.has(quarantine) ? raw : engine.getItem(key))
    const storage = createPersistCheckpointStorage({ storage: { ...engine, getItem: getItem as never } })
    await expect(storage.load('s1')).rejects.toMatchObject({ code: 'invalid_checkpoint' })
    expect(Object.keys(JSON.parse(engine.texts.get(quarantine)!).texts)).toEqual([head])
    await expect(storage.load('s1')).resolves.toBeUndefined()
    await saveNow(storage, createRunning(1))
    await expect(storage.load('s1')).resolves.toEqual(createRunning(1))
  })

  it.each<[string, unknown]>([
    ['a promise of nothing', Promise.resolve(undefined)],
    ['nothing', undefined],
  ])('than null where there is nothing: %s', async (_what, nothing) => {
    const storage = createPersistCheckpointStorage({
      storage: { ...createSyncEngine(), getItem: () => nothing as never },
    })
    await expect(storage.load('s1')).resolves.toBeUndefined()
  })

  it('than a promise for a write: waits for what has a then, whatever that gives back', async () => {
    const engine = createSyncEngine()
    let end: (() => void) | undefined
    const setItem = (key: string, text: string) => ({
      // As some engines' results are: no promise, and their `then` gives nothing back.
      // eslint-disable-next-line unicorn/no-thenable
      then: (resolve: (value: unknown) => void) => void (end = () => {
        engine.setItem(key, text)
        resolve(5)
      }),
    })
    const storage = createPersistCheckpointStorage({ storage: { ...engine, setItem } as never })
    await storage.load('s1')
    let isSaved = false
    void saveNow(storage, createRunning(1)).then(() => (isSaved = true))
    await eventually(() => expect(end).toBeDefined())
    await new Promise((resolve) => setImmediate(resolve))
    expect(isSaved).toBe(false)
    end!()
    await eventually(() => expect(isSaved).toBe(true))
    expect(engine.texts.get(head)).toContain('word0')
  })

  it('keeps sessions apart whose ids look like each other’s keys, all at once', async () => {
    const engine = createSyncEngine()
    const storage = createPersistCheckpointStorage({ storage: engine })
    const ids = ['a', 'a:runs', 'a%3Aruns', 'a:run:done', 'a:quarantine', '', ':', '__proto__']
    const made = ids.filter((id) => id !== '').map((sessionId) => {
      const events = [...createRun({ runId: 'done', sessionId }), ...createRun({ runId: 'r', sessionId, ends: false })]
      return createCheckpoint(replayAgentEvents(events), { sessionId })
    })
    await Promise.all(made.map((checkpoint) => saveNow(storage, checkpoint)))
    await storage.forget('a')
    const after = createPersistCheckpointStorage({ storage: engine })
    const loaded = await Promise.all(made.map(({ sessionId }) => after.load(sessionId)))
    expect(loaded).toEqual([undefined, ...made.slice(1)])
  })
})

describe('hooks that go wrong', () => {
  it.each<[string, (piece: AgentCheckpoint) => unknown, string]>([
    ['throws', () => { throw new Error('No.') }, 'save_failed'],
    ['gives nothing', () => undefined, 'save_failed'],
    ['gives text', () => 'text', 'save_failed'],
    ['gives a promise', (piece) => Promise.resolve(piece), 'save_failed'],
    ['gives no state', (piece) => ({ ...piece, state: {} }), 'save_failed'],
    ['leaves entities out', (piece) => ({ ...piece, state: { ...piece.state, messages: {} } }), 'save_failed'],
    ['makes it another session’s', (piece) => ({ ...piece, sessionId: 's9' }), 'save_failed'],
    ['puts in what JSON cannot hold', (piece) => ({ ...piece, inputByRun: { r1: new Map() } }), 'not_serializable'],
  ])('a redact that %s is told to the save, and what stands stays', async (_what, redact, code) => {
    const engine = createSyncEngine()
    await saveNow(createPersistCheckpointStorage({ storage: engine }), createRunning(1))
    const before = new Map(engine.texts)
    const storage = createPersistCheckpointStorage({ storage: engine, redact: redact as never })
    await storage.load('s1')
    await expect(saveNow(storage, createRunning(2))).rejects.toMatchObject({ name: 'AgentCheckpointError', code })
    expect(engine.texts).toEqual(before)
  })

  it.each<[string, () => unknown]>([
    ['throws', () => { throw new Error('No.') }],
    ['rejects', () => Promise.reject(new Error('No.'))],
    ['gives nothing', () => undefined],
    ['gives bytes', () => Buffer.from('text')],
    ['promises a number', () => Promise.resolve(5)],
  ])('an encrypt that %s is told to the save, what stands stays, and the next save makes up for it', async (_what, encrypt) => {
    const engine = createSyncEngine()
    let isBroken = false
    const storage = createPersistCheckpointStorage({
      storage: engine,
      encrypt: {
        encrypt: (text) => (isBroken ? (encrypt() as string) : `#${text}`),
        decrypt: (text) => text.slice(1),
      },
    })
    await storage.load('s1')
    await saveNow(storage, createRunning(1))
    const before = new Map(engine.texts)
    isBroken = true
    await expect(saveNow(storage, createRunning(2))).rejects.toMatchObject({ code: 'save_failed' })
    expect(engine.texts).toEqual(before)
    isBroken = false
    await saveNow(storage, createRunning(3))
    await expect(storage.load('s1')).resolves.toEqual(createRunning(3))
  })

  it('an encrypt that is slow overtakes nothing: the last save stands, and a removal waits for it', async () => {
    const engine = createSyncEngine()
    const sealing: { text: string; end: () => void }[] = []
    const storage = createPersistCheckpointStorage({
      storage: engine,
      encrypt: {
        encrypt: (text) => new Promise((resolve) => sealing.push({ text, end: () => resolve(text) })),
        decrypt: (text) => text,
      },
    })
    await storage.load('s1')
    const saves = [1, 2, 3].map((words) => saveNow(storage, createRunning(words)))
    let isOver = false
    void Promise.all(saves).then(() => (isOver = true))
    await eventually(() => {
      expect(sealing.length).toBeLessThanOrEqual(1)
      sealing.shift()?.end()
      expect(isOver).toBe(true)
    })
    expect(engine.texts.get(head)).toContain('word2')
    void storage.save(createRunning(4))
    void storage.flush('s1')
    await eventually(() => expect(sealing).toHaveLength(1))
    const removed = storage.remove('s1')
    sealing[0]!.end()
    await removed
    expect(engine.texts.size).toBe(0)
  })

  it.each<[string, () => unknown]>([
    ['throws', () => { throw new Error('No.') }],
    ['gives nothing', () => undefined],
    ['gives an object', () => ({ schemaVersion: 1 })],
    ['gives garbage', () => '\u0000{'],
  ])('a decrypt that %s leaves what was stored in quarantine', async (_what, decrypt) => {
    const engine = createSyncEngine()
    const encrypt = (text: string) => text
    await saveNow(createPersistCheckpointStorage({ storage: engine }), createRunning(1))
    const stored = engine.texts.get(head)
    const cipher = { encrypt, decrypt: decrypt as () => string }
    const storage = createPersistCheckpointStorage({ storage: engine, encrypt: cipher })
    await expect(storage.load('s1')).rejects.toMatchObject({ code: 'invalid_checkpoint' })
    expect(JSON.parse(engine.texts.get(quarantine)!).texts).toEqual({ [head]: stored })
  })
})

describe('what is too old', () => {
  function createAged(ttl: number) {
    const engine = createSyncEngine()
    let time = 10_000
    return {
      engine,
      setTime: (to: number) => void (time = to),
      open: () => createPersistCheckpointStorage({ storage: engine, ttl, now: () => time }),
    }
  }
  const savedAt = 10_000

  it.each([
    ['just young enough', 10_499, true],
    ['just too old', 10_500, false],
    ['of a future that is near, as clocks differ', 9_501, true],
    ['of a future that cannot be', 9_500, false],
  ])('is told by its edge: %s', async (_what, time, isThere) => {
    const { engine, open, setTime } = createAged(500)
    await saveNow(open(), createRunning(1, { savedAt }))
    setTime(time)
    await expect(open().load('s1')).resolves.toEqual(isThere ? createRunning(1, { savedAt }) : undefined)
    expect(engine.texts.size).toBe(isThere ? 1 : 0)
  })

  it('is everything where it is good for no time, and nothing where it is good for ever', async () => {
    for (const [ttl, isThere] of [[0, false], [Infinity, true]] as const) {
      const { open, setTime } = createAged(ttl)
      await saveNow(open(), createRunning(1, { savedAt }))
      if (isThere) setTime(1e15)
      expect((await open().load('s1')) !== undefined).toBe(isThere)
    }
  })

  it.each([[10_499, true], [10_500, false]])('is what was put in quarantine as well: at %i', async (time, isThere) => {
    const { engine, open, setTime } = createAged(500)
    engine.texts.set(head, 'damaged')
    await expect(open().load('s1')).rejects.toMatchObject({ code: 'invalid_checkpoint' })
    setTime(time)
    await expect(open().load('s1')).resolves.toBeUndefined()
    expect(engine.texts.has(quarantine)).toBe(isThere)
  })

  it.each([['damaged'], ['{}'], ['{"quarantinedAt":"1"}'], ['7']])('is a quarantine that says nothing of its age: %s', async (text) => {
    const { engine, open } = createAged(500)
    engine.texts.set(quarantine, text)
    await open().load('s1')
    expect(engine.texts.size).toBe(0)
  })

  it.each([['ttl', Number.NaN], ['ttl', -1], ['throttle', Number.NaN], ['throttle', -1]])('is not guessed: a %s of %d is refused', (name, value) => {
    const create = () => createPersistCheckpointStorage({ storage: createSyncEngine(), [name]: value })
    expect(create).toThrow(expect.objectContaining({ code: 'invalid_option' }))
  })

  it('does not make a throttle of for ever one of no time', async () => {
    vi.useFakeTimers()
    const engine = createSyncEngine()
    const storage = createPersistCheckpointStorage({ storage: engine, throttle: Infinity })
    await storage.load('s1')
    void storage.save(createRunning(1))
    await vi.advanceTimersByTimeAsync(100_000)
    expect(engine.writes).toEqual([])
    await storage.flush('s1')
    vi.useRealTimers()
    expect(engine.writes).toHaveLength(1)
  })
})
