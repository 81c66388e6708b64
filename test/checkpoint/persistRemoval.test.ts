import { createPersistCheckpointStorage, replayAgentEvents } from 'redux-agent'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createCheckpoint, createRun, createRunning } from './createCheckpoint.ts'
import { createSlowEngine } from './createEngines.ts'
import { saveNow } from './saveNow.ts'

const head = 'redux-agent:checkpoint:s1'
const settled = () => createCheckpoint(replayAgentEvents(['done0', 'done1'].flatMap((runId) => createRun({ runId }))))

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('a removal while the engine is slow', () => {
  /** Lets the engine end one write after the other, until the work is done; says which keys were written. */
  async function endAll(engine: ReturnType<typeof createSlowEngine>, work: Promise<unknown>) {
    const keys: string[] = []
    let isOver = false
    void work.then(() => (isOver = true))
    while (!isOver) {
      await vi.advanceTimersByTimeAsync(1)
      if (engine.underWay[0]) keys.push(engine.underWay[0].key)
      engine.underWay[0]?.end()
    }
    return keys
  }

  async function until(engine: ReturnType<typeof createSlowEngine>, key: string) {
    while (engine.underWay[0]?.key !== key) {
      engine.underWay[0]?.end()
      await vi.advanceTimersByTimeAsync(1)
    }
  }

  it.each([`${head}:run:done0`, `${head}:run:done1`, `${head}:runs`])(
    'lets no more of the settled runs move once %s is being written, and deletes all',
    async (key) => {
      const engine = createSlowEngine()
      const storage = createPersistCheckpointStorage({ storage: engine })
      await storage.load('s1')
      void storage.save(settled())
      void storage.flush('s1')
      await until(engine, key)
      expect(await endAll(engine, storage.remove('s1'))).toEqual([key])
      expect(engine.texts.size).toBe(0)
      const saved = saveNow(storage, createRunning(1))
      await endAll(engine, saved)
      expect([...engine.texts.keys()]).toEqual([head])
    },
  )

  it('drops a write that waits for its turn', async () => {
    const engine = createSlowEngine()
    const storage = createPersistCheckpointStorage({ storage: engine })
    await storage.load('s1')
    void storage.save(createRunning(1))
    void storage.flush('s1')
    await until(engine, head)
    const waiting = storage.save(createRunning(2))
    void storage.flush('s1')
    expect(await endAll(engine, Promise.all([storage.remove('s1'), waiting]))).toEqual([head])
    expect(engine.texts.size).toBe(0)
  })
})
