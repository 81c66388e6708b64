import { createPersistCheckpointStorage } from 'redux-agent'
import { describe, expect, it, vi } from 'vitest'
import { createSlowEngine } from '../checkpoint/createEngines.ts'
import { encoded, log, openPage, reopen } from './createCheckpointPage.ts'
import { createFakeRunServer, encodeLog } from './createFakeRunServer.ts'
import { createForeignStorage, type ForeignWork } from './createForeignStorage.ts'
import { expectSilentConsole } from './createHarness.ts'
import { createHangingFetch, createPage } from './createPage.ts'
import { createRecordedRun } from './createRecordedRun.ts'
import { noticeUncaught } from './noticeUncaught.ts'

type Page = ReturnType<typeof createPage>
const remove = (page: Page, options: { forget?: boolean } = {}) =>
  page.store.dispatch(page.agent.actions.removeSession({ sessionId: 's1', ...options }))
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

describe('what meets a removal', () => {
  expectSilentConsole()

  /** A page with a kept run whose removal takes as long as the test likes. */
  async function openRemoving() {
    const held = new Set<ForeignWork['kind']>(['remove', 'forget'])
    const foreign = createForeignStorage({ holds: (kind) => held.has(kind) })
    const server = createFakeRunServer(encoded)
    const next = createFakeRunServer(encodeLog(createRecordedRun({ runId: 'r2', steps: 1 })))
    const requests: string[] = []
    const hanging = createHangingFetch(server.fetch, () => encoded.offsetOf(0, 4))
    const fetch: typeof globalThis.fetch = (...input) => {
      requests.push(String(input[0]))
      return requests.length === 1 ? hanging(...input) : next.fetch(...input)
    }
    const page = createPage({ fetch, storage: foreign.storage, ids: ['r1', 'r2', 'r3'] })
    await page.open().unwrap()
    void page.start()
    await page.rest()
    return { ...foreign, page, held, requests }
  }

  it('a run that is started meanwhile waits for it, and is the clean session’s first', async () => {
    const { page, open, requests, runsOf } = await openRemoving()
    const removal = remove(page)
    const task = page.start('Again')
    await page.rest()
    expect(requests).toHaveLength(1)
    open('remove')[0]!.end()
    await removal.unwrap()
    await page.finish()
    await task.unwrap()
    expect(Object.keys(page.state().runs)).toEqual(['r2'])
    expect(page.state().runs.r2!.status).toBe('completed')
    expect(requests).toHaveLength(2)
    await page.rest()
    expect(runsOf()).toEqual(['r2'])
  })

  it('a run that is started meanwhile goes also where the removal fails, beside the others', async () => {
    const { page, open } = await openRemoving()
    const removal = remove(page)
    const task = page.start('Again')
    await page.rest()
    open('remove')[0]!.end(new Error('No.'))
    await expect(removal.unwrap()).rejects.toMatchObject({ code: 'save_failed' })
    await page.rest(20)
    await task.unwrap()
    expect(Object.keys(page.state().runs).sort()).toEqual(['r1', 'r2'])
  })

  it('a run that was asked for before it, or between two of them, is given up', async () => {
    const { page, open, requests, runsOf } = await openRemoving()
    const first = remove(page)
    const between = page.start('Between')
    const second = remove(page)
    void page.start('After')
    for (const removal of [first, second]) {
      await page.rest()
      open('remove')[0]!.end()
      await removal.unwrap()
    }
    await between.unwrap()
    await page.rest(20)
    expect(requests).toHaveLength(2)
    expect(page.connection('r2')).toBeUndefined()
    expect(runsOf()).not.toContain('r1')
  })

  it('a run that is started meanwhile can be given up', async () => {
    const { page, open, requests } = await openRemoving()
    const removal = remove(page)
    const task = page.start('Again')
    abort(page)
    await task.unwrap()
    await page.rest()
    open('remove')[0]!.end()
    await removal.unwrap()
    await page.rest()
    expect(requests).toHaveLength(1)
    expect(page.state().runs).toEqual({})
  })

  it('opening the session waits for it, and reads nothing that was', async () => {
    const { page, open, asked } = await openRemoving()
    const removal = remove(page)
    let isOpen = false
    void page.open().unwrap().then(() => (isOpen = true))
    await page.rest()
    expect(isOpen).toBe(false)
    open('remove')[0]!.end()
    await removal.unwrap()
    await page.rest()
    expect(isOpen).toBe(true)
    expect(page.state().runs).toEqual({})
    expect(asked.filter((kind) => kind === 'load')).toHaveLength(1)
  })

  it('a session that was being read starts clean: what is read late is no longer so', async () => {
    const { page, open, held, storage, texts } = await openRemoving()
    page.hide()
    await page.rest()
    held.clear()
    held.add('load')
    const server = createFakeRunServer(encoded)
    const next = reopen(storage, server.fetch)
    const opened = next.open()
    const task = next.start('Again')
    await next.rest()
    await remove(next).unwrap()
    expect(texts.size).toBe(0)
    texts.set('s1', '{}')
    open('load')[0]!.end()
    await opened.unwrap()
    await next.rest()
    await task.unwrap()
    expect(next.state().runs).toEqual({})
    expect(next.session()).toBe('idle')
    expect(server.requests).toEqual([])
  })

  it('forgets what is in quarantine as well, where it is asked to', async () => {
    const { page, held, quarantined, texts, asked } = await openRemoving()
    held.clear()
    quarantined.add('s1')
    await remove(page).unwrap()
    expect(quarantined.size).toBe(1)
    await remove(page, { forget: true }).unwrap()
    expect(quarantined.size).toBe(0)
    expect(texts.size).toBe(0)
    expect(asked.at(-1)).toBe('forget')
  })

  it('removes from a storage that cannot forget, and a session that is not open', async () => {
    const { storage, texts } = createForeignStorage({ holds: () => false })
    const { page } = await openPage({ storage, events: log.length })
    expect(texts.size).toBe(1)
    const { forget: _, ...plain } = storage
    const other = reopen(plain, createFakeRunServer(encoded).fetch)
    await remove(other, { forget: true }).unwrap()
    expect(texts.size).toBe(0)
    expect(page.state().runs.r1!.status).toBe('completed')
  })

  it('a run of a session that is not open waits for it as well', async () => {
    const { storage, open } = createForeignStorage()
    const server = createFakeRunServer(encoded)
    const page = createPage({ storage, fetch: server.fetch })
    const removal = remove(page)
    const task = page.start()
    await page.rest()
    expect(server.requests).toEqual([])
    open('remove')[0]!.end()
    await removal.unwrap()
    await page.finish()
    await task.unwrap()
    expect(page.state().runs.r1!.status).toBe('completed')
  })
})
