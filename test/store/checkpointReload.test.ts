import { isDeepStrictEqual } from 'node:util'
import {
  createMemoryAgentCheckpointStorage,
  createPersistCheckpointStorage,
  createWebStorageAgentCheckpointStorage,
  replayAgentEvents,
} from 'redux-agent'
import { describe, expect, it } from 'vitest'
import { createFakeRunServer, encodeLog } from './createFakeRunServer.ts'
import { createHangingFetch, createPage, hangAfter } from './createPage.ts'
import { createRecordedRun } from './createRecordedRun.ts'

const log = createRecordedRun()
const replayed = replayAgentEvents(log)
const encoded = encodeLog(log)

function createTexts() {
  const texts = new Map<string, string>()
  const engine = {
    getItem: (key: string) => texts.get(key) ?? null,
    setItem: (key: string, text: string) => void texts.set(key, text),
    removeItem: (key: string) => void texts.delete(key),
  }
  return { texts, engine }
}

/** A page is left after so many events, by a reload, which it is told of, or by a kill; another one takes over. */
async function leaveAfter(
  events: number,
  way: 'reload' | 'kill',
  createStorage = (engine: ReturnType<typeof createTexts>['engine']) => createWebStorageAgentCheckpointStorage(engine),
) {
  const server = createFakeRunServer(encoded)
  const fetch = createHangingFetch(server.fetch, (index) => (index === 0 ? encoded.offsetOf(0, events + 1) : undefined))
  const { engine } = createTexts()
  const first = createPage({ fetch, storage: createStorage(engine) })
  await first.open().unwrap()
  void first.start()
  await first.rest(events > 400 ? 12 : 8)
  expect(first.state().lastSequenceByRun.r1 ?? 0).toBe(events)
  if (way === 'reload') first.hide()

  const second = createPage({ fetch, storage: createStorage(engine) })
  await second.open().unwrap()
  const restoredAt = second.state().lastSequenceByRun.r1 ?? 0
  await second.finish()
  return { server, first, second, restoredAt, engine }
}

/** Ten pages are left one after the other, each in the middle of another frame of the run; the last one is not. */
async function leaveWithin(sequences: readonly number[], byte: number, way: 'reload' | 'kill') {
  const server = createFakeRunServer(encoded)
  const { engine } = createTexts()
  const transformed: unknown[] = []
  const restored: number[] = []
  for (const [index, sequence] of [...sequences, Infinity].entries()) {
    const fetch: typeof globalThis.fetch = async (...input) => {
      const response = await server.fetch(...input)
      if (sequence === Infinity) return response
      const request = server.requests.at(-1)!
      const into = Math.min(byte, encoded.sizeOf(sequence) - 1)
      const size = encoded.offsetOf(request.kind === 'resume' ? request.after : 0, sequence) + into
      return hangAfter(response, size)
    }
    const page = createPage({ fetch, storage: createWebStorageAgentCheckpointStorage(engine) })
    await page.open().unwrap()
    if (index === 0) void page.start()
    else restored.push(page.state().lastSequenceByRun.r1 ?? 0)
    if (sequence === Infinity) await page.finish()
    else await page.rest(3)
    if (way === 'reload') page.hide()
    transformed.push(...page.transformed)
    if (sequence === Infinity) return { requests: server.requests, transformed, restored, state: page.state() }
  }
  throw new Error('There is no last page.')
}

function expectWhole({ second, first }: Awaited<ReturnType<typeof leaveAfter>>) {
  expect([...first.transformed, ...second.transformed]).toEqual([])
  expect(second.connection()).toMatchObject({ state: 'idle', detached: false })
  if (!isDeepStrictEqual(second.state(), replayed)) expect(second.state()).toEqual(replayed)
}

// Hundreds of pages: a busy machine may need its time for them.
describe('a page that is left in the middle of a run', { timeout: 600_000 }, () => {
  it('is taken up again after a reload at any event, by the resume alone', async () => {
    for (let events = 0; events < log.length - 1; events += 1) {
      const left = await leaveAfter(events, 'reload')
      expectWhole(left)
      const { requests } = left.server
      const [start] = requests
      const next = events === 0 ? start : { kind: 'resume', runId: 'r1', after: events }
      expect(requests).toEqual([start, next])
      expect(left.restoredAt).toBe(events)
    }
  })

  it('is taken up again after a kill at any event, from what was saved by then', async () => {
    let early = 0
    for (let events = 0; events < log.length - 1; events += 1) {
      const left = await leaveAfter(events, 'kill')
      expectWhole(left)
      const { requests } = left.server
      const { restoredAt } = left
      const next = restoredAt === 0 ? requests[0] : { kind: 'resume', runId: 'r1', after: restoredAt }
      expect(requests).toEqual([requests[0], next])
      if (restoredAt < events) early += 1
    }
    expect(early, 'kills that lost what the store had').toBeGreaterThan(0)
  })

  it.each(['reload', 'kill'] as const)('goes on after a %s at every byte of ten of its frames', async (way) => {
    const sequences = [1, 2, 3, 20, 47, 130, 222, 333, 470, log.length]
    const longest = Math.max(...sequences.map(encoded.sizeOf))
    for (let byte = 0; byte < longest; byte += 1) {
      const { requests, transformed, state, restored } = await leaveWithin(sequences, byte, way)
      const [start] = requests
      const resumes = restored.map((after) => (after === 0 ? start : { kind: 'resume', runId: 'r1', after }))
      expect(requests).toEqual([start, ...resumes])
      if (way === 'reload') expect(restored).toEqual(sequences.map((sequence) => sequence - 1))
      expect(transformed).toEqual([])
      if (!isDeepStrictEqual(state, replayed)) expect(state).toEqual(replayed)
    }
  })

  it('is taken up again from a storage on redux-persist', async () => {
    for (let events = 0; events < log.length - 1; events += 37) {
      const left = await leaveAfter(events, 'reload', (engine) => createPersistCheckpointStorage({ storage: engine }))
      expectWhole(left)
      expect(left.restoredAt).toBe(events)
    }
  })

  it('shows a run that has ended, and asks for nothing', async () => {
    const server = createFakeRunServer(encoded)
    const storage = createMemoryAgentCheckpointStorage()
    const first = createPage({ fetch: server.fetch, storage })
    await first.open().unwrap()
    void first.start()
    await first.finish()
    const second = createPage({ fetch: server.fetch, storage })
    await second.open().unwrap()
    expect(second.state()).toEqual(replayed)
    expect(second.session()).toBe('idle')
    expect(server.requests).toHaveLength(1)
  })
})
