import {
  createAgentCommandFactory,
  createAgentEventFactory,
  createPersistCheckpointStorage,
  createWebStorage,
  replayAgentEvents,
} from 'redux-agent'
import type { AgentCheckpoint, AgentEvent } from 'redux-agent'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createCheckpoint, createRun, createRunning } from './createCheckpoint.ts'
import { createSlowEngine, createSyncEngine, quotaError, securityError } from './createEngines.ts'
import { saveNow } from './saveNow.ts'

const head = 'redux-agent:checkpoint:s1'
const settledRuns = (count: number) =>
  Array.from({ length: count }, (_, index) => createRun({ runId: `done${index}` })).flat()
const checkpointOf = (...runs: readonly AgentEvent[][]) => createCheckpoint(replayAgentEvents(runs.flat()))

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('a checkpoint storage on redux-persist', () => {
  it('holds what was saved before flush returns, with a synchronous engine', async () => {
    const engine = createSyncEngine()
    const storage = createPersistCheckpointStorage({ storage: engine, throttle: 1000 })
    await storage.load('s1')
    void storage.save(createRunning(1))
    void storage.save(createRunning(7))
    expect(engine.texts.has(head)).toBe(false)
    void storage.flush('s1')
    expect(engine.texts.get(head)).toContain('word6')
  })

  it('writes all of it again after a removal that deleted a part', async () => {
    const engine = createSyncEngine()
    const refuse = () => Promise.reject(new Error('No.'))
    const removeItem = (key: string) => (key.endsWith(':run:done1') ? refuse() : engine.removeItem(key))
    const storage = createPersistCheckpointStorage({ storage: { ...engine, removeItem } })
    const checkpoint = checkpointOf(settledRuns(2))
    await storage.load('s1')
    await saveNow(storage, checkpoint)
    await expect(storage.remove('s1')).rejects.toMatchObject({ code: 'save_failed' })
    expect([...engine.texts.keys()]).toEqual([`${head}:run:done1`])
    await saveNow(storage, checkpoint)
    const loaded = await createPersistCheckpointStorage({ storage: engine }).load('s1')
    expect(loaded?.state).toEqual(checkpoint.state)
  })

  it('takes localStorage-like engines as they are, their methods bound to nothing', async () => {
    class Engine {
      #texts = new Map<string, string>()
      getItem(key: string) {
        return this.#texts.get(key) ?? null
      }
      setItem(key: string, value: string) {
        this.#texts.set(key, value)
      }
      removeItem(key: string) {
        this.#texts.delete(key)
      }
    }
    const storage = createPersistCheckpointStorage({ storage: new Engine() })
    await saveNow(storage, createRunning(2))
    await expect(storage.load('s1')).resolves.toEqual(createRunning(2))
    await storage.forget('s1')
    await expect(storage.load('s1')).resolves.toBeUndefined()
  })

  it('writes by itself, at most once a throttle, under a stream of saves', async () => {
    const engine = createSyncEngine()
    const storage = createPersistCheckpointStorage({ storage: engine, throttle: 250 })
    await storage.load('s1')
    const saves: Promise<void>[] = []
    for (let at = 0; at < 2000; at += 10) {
      saves.push(storage.save(createRunning(at / 10)))
      await vi.advanceTimersByTimeAsync(10)
    }
    await vi.advanceTimersByTimeAsync(500)
    await Promise.all(saves)
    expect(engine.writes.length).toBeGreaterThanOrEqual(4)
    expect(engine.writes.length).toBeLessThanOrEqual(9)
    expect(engine.texts.get(head)).toContain('word198')
  })

  it('has one write of a session under way, and merges the saves that wait', async () => {
    const engine = createSlowEngine()
    const storage = createPersistCheckpointStorage({ storage: engine })
    await storage.load('s1')
    const saves: Promise<void>[] = []
    for (let words = 1; words <= 20; words += 1) {
      saves.push(storage.save(createRunning(words)))
      await vi.advanceTimersByTimeAsync(5)
    }
    expect(engine.underWay).toHaveLength(1)
    expect(engine.underWay[0]!.value).toContain('word0')
    engine.underWay[0]!.end()
    await saves[0]
    await vi.advanceTimersByTimeAsync(5)
    expect(engine.underWay).toHaveLength(1)
    engine.underWay[0]!.end()
    await Promise.all(saves)
    expect(engine.texts.get(head)).toContain('word19')
    expect(engine.underWay).toEqual([])
    expect(engine.highest()).toBe(1)
  })

  it('has one write under way also while settled runs move to their keys', async () => {
    const engine = createSlowEngine()
    const storage = createPersistCheckpointStorage({ storage: engine })
    const checkpoint = checkpointOf(settledRuns(3), createRun({ runId: 'r1', ends: false }))
    const saved = storage.save(checkpoint)
    const flushed = vi.waitFor(() => storage.flush('s1'), { timeout: 60_000 })
    let isOver = false
    void flushed.then(() => (isOver = true))
    while (!isOver) {
      await vi.advanceTimersByTimeAsync(1)
      void storage.save({ ...checkpoint, savedAt: 2000 })
      engine.underWay[0]?.end()
    }
    await saved
    expect(engine.highest()).toBe(1)
    expect([...engine.texts.keys()].sort()).toEqual(
      [head, `${head}:run:done0`, `${head}:run:done1`, `${head}:run:done2`, `${head}:runs`].sort(),
    )
  })

  it('writes a settled run once, and a save costs what the active turn holds', async () => {
    const sizeWith = async (count: number) => {
      const engine = createSyncEngine()
      const storage = createPersistCheckpointStorage({ storage: engine })
      const save = async (checkpoint: AgentCheckpoint) => {
        await saveNow(storage, checkpoint)
      }
      await storage.load('s1')
      const past = settledRuns(count)
      await save(checkpointOf(past))
      const own = (key: string) => engine.writes.filter((write) => write.key === key)
      for (let index = 0; index < count; index += 1) expect(own(`${head}:run:done${index}`)).toHaveLength(1)
      await save(checkpointOf(past, createRun({ runId: 'r1', words: 5, ends: false })))
      engine.writes.length = 0
      await save(checkpointOf(past, createRun({ runId: 'r1', words: 6, ends: false })))
      return engine.writes.reduce((sum, { size }) => sum + size, 0)
    }
    // Places in the order have a digit more; nothing else may grow.
    expect(await sizeWith(200)).toBeLessThanOrEqual((await sizeWith(1)) + 10)
  })

  it('writes nothing again of what it has loaded', async () => {
    const engine = createSyncEngine()
    const first = createPersistCheckpointStorage({ storage: engine })
    const done = settledRuns(10)
    await saveNow(first, checkpointOf(done))
    const second = createPersistCheckpointStorage({ storage: engine })
    const loaded = (await second.load('s1'))!
    expect(loaded.state).toEqual(replayAgentEvents(done))
    engine.writes.length = 0
    await saveNow(second, { ...loaded, savedAt: 2000 })
    expect(engine.writes.map(({ key }) => key)).toEqual([head])
  })

  it('keeps the order of overlapping runs, also after earlier runs were let go', async () => {
    const engine = createSyncEngine()
    let storage = createPersistCheckpointStorage({ storage: engine })
    const save = async (checkpoint: AgentCheckpoint) => {
      await saveNow(storage, checkpoint)
      storage = createPersistCheckpointStorage({ storage: engine })
      expect((await storage.load('s1'))?.state).toEqual(checkpoint.state)
    }
    const interleave = (left: AgentEvent[], right: AgentEvent[]) =>
      left.flatMap((event, index) => [event, right[index]!])
    const [a, b, c] = [createRun({ runId: 'a' }), createRun({ runId: 'b' }), createRun({ runId: 'c' })]
    const d = createAgentEventFactory({ sessionId: 's1', runId: 'd', now: () => 1 })
    const task = (taskId: string) => d.create('task.created', { taskId, title: 'Do' })
    const started = [d.create('run.started', {}), task('t1')] as AgentEvent[]
    const later = [task('t2')] as AgentEvent[]
    await save(checkpointOf(a, started, interleave(b, c)))
    await save(checkpointOf(started, interleave(b, c), later))
    expect([...engine.texts.keys()]).not.toContain(`${head}:run:a`)
    await save(checkpointOf(started, c, later, createRun({ runId: 'e' })))
    // An order that was never so: everything is written anew.
    await save(checkpointOf(createRun({ runId: 'e' }), c, started))
  })

  it('loses nothing when it is killed between any two writes', async () => {
    const engine = createSyncEngine()
    const moments: Map<string, string>[] = []
    const recording = {
      getItem: engine.getItem,
      setItem(key: string, value: string) {
        engine.setItem(key, value)
        moments.push(new Map(engine.texts))
      },
      removeItem(key: string) {
        engine.removeItem(key)
        moments.push(new Map(engine.texts))
      },
    }
    const storage = createPersistCheckpointStorage({ storage: recording })
    const [r1, r2, r3] = [createRun({ runId: 'r1' }), createRun({ runId: 'r2' }), createRun({ runId: 'r3' })]
    const first = [[r1.slice(0, 3)], [r1], [r1, r2.slice(0, 4)], [r1, r2]]
    const steps = [...first, [r1, r2, r3.slice(0, 5)], [r1, r2, r3], [r2, r3]]
    const saved = steps.map((runs, index) => ({ ...checkpointOf(...runs), savedAt: 1000 + index }))
    for (const checkpoint of saved) {
      await saveNow(storage, checkpoint)
    }
    let newest = 0
    expect(moments.length).toBeGreaterThan(steps.length)
    for (const texts of moments) {
      const killed = { ...createSyncEngine(), getItem: (key: string) => texts.get(key) ?? null }
      const after = createPersistCheckpointStorage({ storage: killed })
      const loaded = (await after.load('s1'))!
      const { savedAt } = loaded
      expect(savedAt).toBeGreaterThanOrEqual(newest)
      newest = savedAt
      // A run that is let go stands until its key is out of the list.
      const expected = savedAt === 1006 ? saved.slice(5) : saved.slice(savedAt - 1000, savedAt - 999)
      expect(expected.map(({ state }) => state)).toContainEqual(loaded.state)
    }
    expect(newest).toBe(1006)
  })

  it('tells a save that the storage is full, and makes up for it at the next', async () => {
    const engine = createSyncEngine()
    const storage = createPersistCheckpointStorage({ storage: engine })
    const print = vi.spyOn(console, 'error').mockReturnValue()
    await storage.load('s1')
    engine.fault = quotaError()
    const fault = { code: 'quota_exceeded', cause: engine.fault }
    const outcomes = await Promise.allSettled([storage.save(createRunning(1)), storage.flush('s1')])
    expect(outcomes).toMatchObject([{ reason: fault }, { reason: fault }])
    engine.fault = undefined
    await saveNow(storage, createRunning(2))
    await expect(storage.load('s1')).resolves.toEqual(createRunning(2))
    expect(print).not.toHaveBeenCalled()
  })

  it('keeps settled runs in the session’s key while theirs cannot be written', async () => {
    const engine = createSyncEngine()
    const { setItem } = engine
    let isFull = true
    engine.setItem = (key, value) => {
      if (isFull && key.includes(':run')) throw quotaError()
      setItem(key, value)
    }
    const storage = createPersistCheckpointStorage({ storage: engine })
    const checkpoint = checkpointOf(settledRuns(2))
    for (const savedAt of [1, 2]) {
      await saveNow(storage, { ...checkpoint, savedAt })
      const other = createPersistCheckpointStorage({ storage: engine })
      expect((await other.load('s1'))?.state).toEqual(checkpoint.state)
      expect(engine.texts.has(`${head}:runs`)).toBe(!isFull)
      isFull = false
    }
  })

  it('deletes what is too old', async () => {
    const engine = createSyncEngine()
    let time = 1000
    const open = () => createPersistCheckpointStorage({ storage: engine, ttl: 500, now: () => time })
    const storage = open()
    await saveNow(storage, checkpointOf(settledRuns(2)))
    time = 1499
    expect((await open().load('s1'))?.state.order).toHaveLength(2)
    time = 1500
    await expect(open().load('s1')).resolves.toBeUndefined()
    expect([...engine.texts.keys()]).toEqual([])
  })

  it('deletes all of a session at logout, settled runs and quarantine included, and what was staged', async () => {
    const engine = createSyncEngine()
    const storage = createPersistCheckpointStorage({ storage: engine, throttle: 100 })
    engine.texts.set(head, 'damaged')
    await expect(storage.load('s1')).rejects.toMatchObject({ code: 'invalid_checkpoint' })
    await saveNow(storage, checkpointOf(settledRuns(2)))
    expect(engine.texts.size).toBe(5)
    void storage.save(createRunning(1))
    await storage.forget('s1')
    await vi.advanceTimersByTimeAsync(1000)
    expect([...engine.texts.keys()]).toEqual([])
    await expect(storage.load('s1')).resolves.toBeUndefined()
  })

  it('finishes a removal that was interrupted', async () => {
    const engine = createSyncEngine()
    const storage = createPersistCheckpointStorage({ storage: engine })
    await saveNow(storage, checkpointOf(settledRuns(2)))
    engine.texts.delete(head)
    const after = createPersistCheckpointStorage({ storage: engine })
    await expect(after.load('s1')).resolves.toBeUndefined()
    expect([...engine.texts.keys()]).toEqual([])
  })

  it.each([`${head}:runs`, `${head}:run:done0`])('puts all of it in quarantine when %s is damaged', async (key) => {
    const engine = createSyncEngine()
    const storage = createPersistCheckpointStorage({ storage: engine })
    await saveNow(storage, checkpointOf(settledRuns(2)))
    const [whole] = [engine.texts.get(head)]
    engine.texts.set(key, '{"runs":[1')
    const after = createPersistCheckpointStorage({ storage: engine, now: () => 7 })
    await expect(after.load('s1')).rejects.toMatchObject({ code: 'invalid_checkpoint' })
    expect(JSON.parse(engine.texts.get(`${head}:quarantine`)!)).toMatchObject({
      quarantinedAt: 7,
      code: 'invalid',
      texts: { [head]: whole, [key]: '{"runs":[1' },
    })
    await expect(after.load('s1')).resolves.toBeUndefined()
  })

  it('stores no redacted reasoning, no cause of an error, and nothing that the app redacts', async () => {
    const engine = createSyncEngine()
    const { create } = createAgentEventFactory({ sessionId: 's1', runId: 'r1', now: () => 1 })
    const cause = { headers: { authorization: 'Bearer TOKEN' } }
    const error = { message: 'Failed.', code: 'e1', cause, stack: 'STACK' }
    const events = [
      create('run.started', { input: { card: 'CARD' } }),
      create('reasoning.started', { reasoningId: 'g1', redacted: true }),
      create('reasoning.delta', { reasoningId: 'g1', delta: 'SECRET' }),
      create('reasoning.completed', { reasoningId: 'g1', content: 'SECRET again', summary: 'SECRET too' }),
      create('reasoning.started', { reasoningId: 'g2' }),
      create('reasoning.delta', { reasoningId: 'g2', delta: 'SHOWN' }),
      create('tool.requested', { toolCallId: 't1', name: 'pay' }),
      create('tool.failed', { toolCallId: 't1', error }),
      create('run.failed', { error }),
    ] as AgentEvent[]
    const commands = createAgentCommandFactory({ sessionId: 's1', runId: 'r1', createCommandId: () => 'c1' })
    const whole = createCheckpoint(replayAgentEvents(events), {
      inputByRun: { r1: { card: 'CARD' } },
      pendingCommands: [commands.create('tool.retry', { toolCallId: 't1' })],
    })
    const storage = createPersistCheckpointStorage({
      storage: engine,
      redact: (checkpoint) => {
        const runs = Object.entries(checkpoint.state.runs).map(([id, run]) => [id, { ...run, input: null }] as const)
        return { ...checkpoint, state: { ...checkpoint.state, runs: Object.fromEntries(runs) }, inputByRun: {} }
      },
    })
    for (const checkpoint of [{ ...whole, state: replayAgentEvents(events.slice(0, -1)) }, whole]) {
      await saveNow(storage, checkpoint)
      const bytes = [...engine.texts].flat().join('\n')
      expect(bytes).not.toMatch(/SECRET|CARD|TOKEN|STACK|headers|"cause"/)
      expect(bytes).toContain('SHOWN')
    }
    const loaded = await storage.load('s1')
    const reasoning = Object.values(loaded!.state.reasoning)
    expect(reasoning).toMatchObject([{ redacted: true, content: '' }, { content: 'SHOWN' }])
    expect(loaded!.state.runs.r1!.error).toEqual({ message: 'Failed.', code: 'e1' })
    expect(loaded!.pendingCommands).toEqual(whole.pendingCommands)
  })

  it('refuses a redaction that leaves entities out', async () => {
    const engine = createSyncEngine()
    const storage = createPersistCheckpointStorage({
      storage: engine,
      redact: (checkpoint) => ({ ...checkpoint, state: { ...checkpoint.state, order: [] } }),
    })
    await expect(saveNow(storage, createRunning(1))).rejects.toMatchObject({ code: 'save_failed' })
    expect(engine.texts.size).toBe(0)
  })

  it('keeps the settled runs of two tabs', async () => {
    const engine = createSyncEngine()
    const tabs = [0, 1].map(() => createPersistCheckpointStorage({ storage: engine }))
    await Promise.all(tabs.map((tab) => tab.load('s1')))
    for (const [index, tab] of tabs.entries()) {
      await saveNow(tab, checkpointOf(createRun({ runId: `tab${index}` })))
    }
    const after = createPersistCheckpointStorage({ storage: engine })
    expect(Object.keys((await after.load('s1'))!.state.runs).sort()).toEqual(['tab0', 'tab1'])
  })
})

const refuse = (): Storage => {
  throw securityError()
}

describe('a Web Storage engine', () => {
  it('is asked for at first use, and probed once', async () => {
    const engine = createSyncEngine()
    const getStorage = vi.fn(() => engine)
    const storage = createPersistCheckpointStorage({ storage: createWebStorage(getStorage) })
    expect(getStorage).not.toHaveBeenCalled()
    await saveNow(storage, createRunning(1))
    await expect(storage.load('s1')).resolves.toEqual(createRunning(1))
    expect(getStorage).toHaveBeenCalledTimes(1)
    expect([...engine.texts.keys()]).toEqual([head])
  })

  it.each([
    ['is missing', () => undefined],
    ['is not defined', () => (globalThis as unknown as { nowhere: { storage: Storage } }).nowhere.storage],
    ['may not be touched', refuse],
    ['may not be read', () => Object.assign(createSyncEngine(), { readFault: securityError() })],
  ])('says so where the storage %s', async (_what, getStorage) => {
    const storage = createPersistCheckpointStorage({ storage: createWebStorage(getStorage) })
    await expect(storage.load('s1')).rejects.toMatchObject({ name: 'AgentCheckpointError', code: 'unavailable' })
    await expect(storage.save(createRunning(1))).rejects.toMatchObject({ code: 'unavailable' })
    await expect(storage.remove('s1')).rejects.toMatchObject({ code: 'unavailable' })
    await expect(storage.flush('s1')).resolves.toBeUndefined()
  })
})
