import { createPersistCheckpointStorage } from 'redux-agent'
import { describe, expect, it, vi } from 'vitest'
import { createSlowEngine } from '../checkpoint/createEngines.ts'
import { encoded } from './createCheckpointPage.ts'
import { createFakeRunServer, encodeLog } from './createFakeRunServer.ts'
import { createForeignStorage, type ForeignWork } from './createForeignStorage.ts'
import { expectSilentConsole } from './createHarness.ts'
import { createHangingFetch, createPage } from './createPage.ts'
import { createRecordedRun } from './createRecordedRun.ts'
import { noticeUncaught } from './noticeUncaught.ts'

type Page = ReturnType<typeof createPage>
const remove = (page: Page) => page.store.dispatch(page.agent.actions.removeSession({ sessionId: 's1' }))
const abort = (page: Page) => page.store.dispatch(page.agent.actions.abortRun({ sessionId: 's1' }))

/** A page whose run streams while its saves take as long as the test likes. */
async function openSlow(options: { hasFlush?: boolean; onError?: () => void; ids?: string[] } = {}) {
  const { hasFlush, onError, ids = ['r1', 'r2', 'r3'] } = options
  let isHeld = false
  const held = new Set<ForeignWork['kind']>(['save'])
  const foreign = createForeignStorage({ holds: (kind) => isHeld && held.has(kind), hasFlush })
  const servers = [encoded, encodeLog(createRecordedRun({ runId: 'r2', steps: 1 }))].map((log) => createFakeRunServer(log))
  let requests = 0
  const fetch = createHangingFetch(
    (...input) => servers[requests++]!.fetch(...input),
    () => encoded.offsetOf(0, 4),
  )
  const page = createPage({ fetch, storage: foreign.storage, ids, runtime: onError && { onError } })
  await page.open().unwrap()
  void page.start()
  await page.rest()
  isHeld = true
  page.fireTimers(1000)
  await page.rest()
  return { ...foreign, page, held, requests: () => requests }
}

describe('removing a session whose storage is slow', () => {
  expectSilentConsole()
  const { unhandled } = noticeUncaught()

  it.each([
    ['succeeds', undefined, false],
    ['fails', new Error('No.'), false],
    ['succeeds, of a storage that gathers', undefined, true],
  ])('keeps nobody waiting, and deletes again what a late save may bring back, where that save %s', async (_, error, hasFlush) => {
    const { page, open, texts, asked } = await openSlow({ hasFlush })
    expect(open('save')).toHaveLength(1)
    const removal = remove(page)
    await page.rest()
    expect(asked).not.toContain('remove')
    page.fireTimers(1000)
    await removal.unwrap()
    expect(texts.size).toBe(0)
    open('save')[0]!.end(error)
    await page.rest()
    expect(asked.filter((kind) => kind === 'remove')).toHaveLength(2)
    expect(texts.size).toBe(0)
    expect(page.checkpointError()).toBeUndefined()
    page.hide()
    await page.rest()
    expect(texts.size).toBe(0)
  })

  it.each([[false], [true]])('saves the session’s next run after that, not before (a storage that gathers: %s)', async (hasFlush) => {
    const { page, open, runsOf, texts, requests } = await openSlow({ hasFlush })
    const removal = remove(page)
    await page.rest()
    page.fireTimers(1000)
    await removal.unwrap()
    void page.start('Again')
    await page.rest()
    page.fireTimers(1000)
    await page.rest()
    expect(requests()).toBe(2)
    expect(open('save')).toHaveLength(1)
    open('save')[0]!.end()
    await page.rest()
    expect(texts.size).toBe(0)
    expect(open('save')).toHaveLength(1)
    open('save')[0]!.end()
    await page.rest()
    expect(runsOf()).toEqual(['r2'])
  })

  it('holds back no run’s request behind what nothing hurries and waits as well', async () => {
    const { page, open, held, flushes, runsOf } = await openSlow({ hasFlush: true })
    const removal = remove(page)
    await page.rest()
    page.fireTimers(1000)
    await removal.unwrap()
    held.add('remove')
    const failing = remove(page)
    await page.rest()
    page.fireTimers(1000)
    await page.rest()
    open('remove')[0]!.end(new Error('No.'))
    await expect(failing.unwrap()).rejects.toMatchObject({ code: 'save_failed' })
    // Nobody hurries what a failed removal leaves to be written.
    page.fireTimers(1000)
    void page.start('Again')
    held.clear()
    const before = flushes()
    open('save')[0]!.end()
    await page.rest()
    expect(flushes()).toBe(before + 1)
    expect(runsOf()).toEqual(['r2'])
  })

  it('deletes what each of several saves that hang brings back', async () => {
    const { page, open, texts } = await openSlow({ hasFlush: true })
    abort(page)
    await page.rest()
    expect(open('save')).toHaveLength(2)
    const removal = remove(page)
    await page.rest()
    page.fireTimers(1000)
    await removal.unwrap()
    const [older, newer] = open('save')
    newer!.end()
    await page.rest()
    older!.end()
    await page.rest()
    expect(texts.size).toBe(0)
  })

  it('is done once where it is asked for again before the late save has ended', async () => {
    const { page, open, texts, asked } = await openSlow()
    for (const count of [1, 2]) {
      const removal = remove(page)
      await page.rest()
      page.fireTimers(1000)
      await removal.unwrap()
      expect(asked.filter((kind) => kind === 'remove')).toHaveLength(count)
    }
    open('save')[0]!.end()
    await page.rest()
    expect(asked.filter((kind) => kind === 'remove')).toHaveLength(3)
    expect(texts.size).toBe(0)
  })

  it('drops what waits for a save that ends in time', async () => {
    const { page, open, texts, asked } = await openSlow()
    abort(page)
    await page.rest()
    const removal = remove(page)
    await page.rest()
    const saves = asked.filter((kind) => kind === 'save').length
    open('save')[0]!.end()
    await removal.unwrap()
    await page.rest()
    expect(asked.filter((kind) => kind === 'save')).toHaveLength(saves)
    expect(texts.size).toBe(0)
  })

  it('says so where what came back cannot be deleted', async () => {
    const onError = vi.fn()
    const { page, open, held } = await openSlow({ onError })
    const removal = remove(page)
    await page.rest()
    page.fireTimers(1000)
    await removal.unwrap()
    held.add('remove')
    open('save')[0]!.end()
    await page.rest()
    open('remove')[0]!.end(new Error('No.'))
    await page.rest()
    expect(page.checkpointError()).toMatchObject({ code: 'save_failed' })
    expect(onError).toHaveBeenCalledTimes(1)
  })

  it('keeps nobody waiting for ever where the removal itself hangs, and what it deletes late is written again', async () => {
    const { page, open, held, runsOf, texts } = await openSlow()
    open('save')[0]!.end()
    held.clear()
    held.add('remove')
    const removal = remove(page)
    await page.rest()
    page.fireTimers(5000)
    await expect(removal.unwrap()).rejects.toMatchObject({ code: 'save_failed' })
    expect(Object.keys(page.state().runs)).toEqual(['r1'])
    expect(page.checkpointError()).toMatchObject({ code: 'save_failed' })
    page.fireTimers(1000)
    await page.rest()
    expect(runsOf()).toEqual(['r1'])
    open('remove')[0]!.end()
    expect(texts.size).toBe(0)
    await page.rest()
    page.fireTimers(1000)
    await page.rest()
    expect(runsOf()).toEqual(['r1'])
    expect(page.checkpointError()).toBeUndefined()
  })

  it('takes no harm from a removal that fails after nobody waited for it any more', async () => {
    const { page, open, held } = await openSlow()
    open('save')[0]!.end()
    held.add('remove')
    const removal = remove(page)
    await page.rest()
    page.fireTimers(5000)
    await expect(removal.unwrap()).rejects.toMatchObject({ code: 'save_failed' })
    open('remove')[0]!.end(new Error('No.'))
    await page.rest()
    expect(unhandled).not.toHaveBeenCalled()
    expect(Object.keys(page.state().runs)).toEqual(['r1'])
  })

  it('leaves nothing behind in redux-persist’s parts, whose engine is slow', async () => {
    const engine = createSlowEngine()
    const storage = createPersistCheckpointStorage({ storage: engine })
    const server = createFakeRunServer(encoded)
    const fetch = createHangingFetch(server.fetch, () => encoded.offsetOf(0, 4))
    const page = createPage({ fetch, storage })
    await page.open().unwrap()
    void page.start()
    await page.rest()
    expect(engine.underWay).toHaveLength(1)
    const removal = remove(page)
    await page.rest()
    page.fireTimers(1000)
    await page.rest()
    engine.underWay[0]!.end()
    await removal.unwrap()
    await page.rest()
    expect([...engine.texts.keys()]).toEqual([])
    expect(engine.underWay).toEqual([])
  })
})
