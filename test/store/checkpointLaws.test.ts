import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import {
  AgentCheckpointError,
  createWebStorageAgentCheckpointStorage,
  replayAgentEvents,
  type AgentCheckpoint,
  type AgentCheckpointStorage,
} from 'redux-agent'
import { describe, expect, it } from 'vitest'
import { createFakeRunServer, encodeLog, type StreamRequest } from './createFakeRunServer.ts'
import { createHangingFetch, createPage } from './createPage.ts'
import { createRecordedRun } from './createRecordedRun.ts'

const log = createRecordedRun({ steps: 3 })
const encoded = encodeLog(log)
const replayed = replayAgentEvents(log)

/** What happens to one page before it is left. */
interface Visit {
  /** After how many bytes of its wire nothing more comes. */
  bytes: number
  load: 'quick' | 'slow' | 'late' | 'failing'
  /** Which saves fail, one after the other. */
  saveFaults: readonly boolean[]
  /** After how many turns the person goes, and whether the page is told of it. */
  turns: number
  isTold: boolean
  /** Whether time passes, so that what is gathered is saved. */
  isLong: boolean
}

const visitOf = fc.record<Visit>({
  bytes: fc.integer({ min: 0, max: encoded.offsetOf(0, log.length) }),
  load: fc.constantFrom('quick', 'slow', 'late', 'failing'),
  saveFaults: fc.array(fc.boolean(), { maxLength: 6 }),
  turns: fc.integer({ min: 0, max: 10 }),
  isTold: fc.boolean(),
  isLong: fc.boolean(),
})

type Spoil = (checkpoint: AgentCheckpoint, last: AgentCheckpoint | undefined) => AgentCheckpoint

/** A browser whose storage does as the visit says; `spoil` makes of it one whose checkpoints are wrong. */
function createBrowser(spoil: Spoil = (checkpoint) => checkpoint) {
  const texts = new Map<string, string>()
  let last: AgentCheckpoint | undefined
  function open({ load, saveFaults }: Visit) {
    const faults = [...saveFaults]
    let settle!: () => void
    const late = new Promise<void>((resolve) => (settle = resolve))
    const inner = createWebStorageAgentCheckpointStorage({
      getItem: (key) => texts.get(key) ?? null,
      setItem(key, text) {
        if (faults.shift()) throw new DOMException('Full.', 'QuotaExceededError')
        texts.set(key, text)
      },
      removeItem: (key) => void texts.delete(key),
    })
    const storage: AgentCheckpointStorage = {
      ...inner,
      async load(sessionId) {
        if (load === 'failing') throw new AgentCheckpointError('load_failed')
        if (load === 'slow') await Promise.resolve().then(() => Promise.resolve())
        if (load === 'late') await late
        return inner.load(sessionId)
      },
      save(checkpoint) {
        const spoilt = spoil(checkpoint, last)
        last = checkpoint
        return inner.save(spoilt)
      },
    }
    return { storage, settle }
  }
  return { open, texts }
}

/** Lives through the visits, the last of which is left alone, and gives what the person sees in the end. */
async function live(visits: readonly Visit[], spoil?: Spoil) {
  const server = createFakeRunServer(encoded)
  const browser = createBrowser(spoil)
  const transformed: unknown[] = []
  let hasAsked = false
  for (const visit of visits) {
    const { storage, settle } = browser.open(visit)
    const fetch = createHangingFetch(server.fetch, () => visit.bytes)
    const page = createPage({ fetch, storage })
    void page.open()
    await page.rest(2)
    if (!hasAsked) {
      // The first request is made once; all that follows is the runtime's.
      if (visit.load === 'late') settle()
      void page.start()
      hasAsked = true
    }
    await page.rest(visit.turns)
    if (visit.load === 'late') {
      page.fireTimers(5000)
      await page.rest(2)
      settle()
      await page.rest(4)
    }
    if (visit.isLong) page.fireTimers(1000)
    await page.rest(1)
    if (visit.isTold) page.hide()
    transformed.push(...page.transformed)
  }
  const isKept = [...browser.texts.values()].some((text) => text.includes('"r1"'))
  const { storage } = browser.open({ ...visits[0]!, load: 'quick', saveFaults: [] })
  const page = createPage({ fetch: server.fetch, storage })
  await page.open().unwrap()
  await page.finish()
  transformed.push(...page.transformed)
  return { state: page.state(), requests: server.requests, transformed, isKept, session: page.session() }
}

/** A run that was asked for is there whole, by its own request or by resumes, or was never kept. */
function isWhole({ state, requests, transformed, isKept, session }: Awaited<ReturnType<typeof live>>): boolean {
  if (transformed.length > 0 || session !== 'idle') return false
  const [start, ...later] = requests
  const isAllowed = (request: StreamRequest) => request.kind === 'resume' || isDeepStrictEqual(request, start)
  if (!later.every(isAllowed)) return false
  return isKept ? isDeepStrictEqual(state, replayed) : Object.keys(state.runs).length === 0
}

const visitsOf = fc.array(visitOf, { minLength: 1, maxLength: 4 })

// Thousands of pages: a busy machine may need its time for them.
describe('a run that outlives its pages', { timeout: 600_000 }, () => {
  it('ends whole, once, whatever the storage and the wires do', async () => {
    let kept = 0
    await fc.assert(
      fc.asyncProperty(visitsOf, async (visits) => {
        const outcome = await live(visits)
        if (outcome.isKept) kept += 1
        expect(isWhole(outcome), JSON.stringify({ ...outcome, state: undefined })).toBe(true)
      }),
      { numRuns: 300 },
    )
    expect(kept, 'runs that were kept').toBeGreaterThan(50)
  })

  it.each<[string, Spoil]>([
    ['cursor of a later moment than the state', (checkpoint, last) => ({ ...checkpoint, state: (last ?? checkpoint).state })],
    ['cursor that is forgotten', (checkpoint) => ({ ...checkpoint, cursorByRun: {} })],
    ['input that is forgotten', (checkpoint) => ({ ...checkpoint, inputByRun: {} })],
  ])('is seen to be broken by a %s', async (_name, spoil) => {
    const { failed } = await fc.check(
      fc.asyncProperty(visitsOf, async (visits) => isWhole(await live(visits, spoil))),
      { numRuns: 150, endOnFailure: true },
    )
    expect(failed).toBe(true)
  })
})
