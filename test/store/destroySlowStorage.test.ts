import { describe, expect, it, vi } from 'vitest'
import { encoded, openPage } from './createCheckpointPage.ts'
import { createFakeRunServer } from './createFakeRunServer.ts'
import { createForeignStorage, type ForeignWork } from './createForeignStorage.ts'
import { expectSilentConsole } from './createHarness.ts'
import { createPage } from './createPage.ts'
import { noticeUncaught } from './noticeUncaught.ts'

type Page = ReturnType<typeof createPage>
const destroyed = { code: 'runtime_destroyed' }
const remove = (page: Page) => page.store.dispatch(page.agent.actions.removeSession({ sessionId: 's1' }))

/** Destroys a page's runtime, and says whether that is over. */
function destroy(page: Page) {
  const task = page.store.dispatch(page.agent.actions.destroy())
  const said = { isOver: false, task }
  void task.then(() => (said.isOver = true))
  return said
}

/** A page with a run that streams, whose storage hangs from now on. */
async function openHanging(kind: ForeignWork['kind']) {
  let isHeld = false
  const onError = vi.fn()
  const foreign = createForeignStorage({ holds: (asked) => isHeld && asked === kind })
  const page = createPage({
    storage: foreign.storage,
    fetch: () => new Promise(() => undefined),
    ids: ['r1', 'r2'],
    runtime: { onError },
  })
  await page.open().unwrap()
  const first = page.start()
  await page.rest()
  isHeld = true
  return { ...foreign, page, first, onError }
}

describe('a runtime that is destroyed while its storage hangs', () => {
  expectSilentConsole()
  const { unhandled } = noticeUncaught()

  it('waits a second for what it saves, and tells the app then', async () => {
    const { page, onError, open } = await openHanging('save')
    page.hide()
    await page.rest()
    expect(open('save')).toHaveLength(0)
    const second = page.start('More')
    await page.rest()
    expect(open('save')).toHaveLength(1)
    const ending = destroy(page)
    await page.rest()
    expect(ending.isOver).toBe(false)
    // The run whose request waited for that save is given up all the same.
    await second.unwrap()
    page.fireTimers(1000)
    await ending.task.unwrap()
    await page.rest()
    expect(onError).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ code: 'save_failed' }), { sessionId: 's1' })
    expect(page.delays()).toEqual([])
    open('save')[0]!.end()
    await page.rest()
    expect(page.checkpointError()).toBeUndefined()
    expect(unhandled).not.toHaveBeenCalled()
  })

  it('waits no longer than the save takes', async () => {
    const { page, onError, open, runsOf } = await openHanging('save')
    void page.start('More')
    await page.rest()
    const ending = destroy(page)
    await page.rest()
    expect(ending.isOver).toBe(false)
    open('save')[0]!.end()
    await ending.task.unwrap()
    expect(runsOf()).toEqual(['r1', 'r2'])
    expect(onError).not.toHaveBeenCalled()
    expect(page.delays()).toEqual([])
  })

  it('gives up a session that is being opened, and what is read late starts nothing', async () => {
    const { storage, open } = createForeignStorage({ holds: (kind) => kind === 'load' })
    const kept = createForeignStorage({ holds: () => false })
    await openPage({ storage: kept.storage, events: 40 })
    for (const text of kept.texts.values()) await storage.save(JSON.parse(text))
    const server = createFakeRunServer(encoded)
    const page = createPage({ storage, fetch: server.fetch, ids: ['r2'] })
    const opening = page.open()
    const again = page.open()
    const started = page.start()
    await page.rest()
    await destroy(page).task.unwrap()
    await expect(opening.unwrap()).rejects.toMatchObject(destroyed)
    await expect(again.unwrap()).rejects.toMatchObject(destroyed)
    await started.unwrap()
    open('load')[0]!.end()
    await page.rest()
    expect(server.requests).toEqual([])
    expect(page.state().runs).toEqual({})
    expect(page.delays()).toEqual([])
    expect(unhandled).not.toHaveBeenCalled()
  })

  it('gives up a removal after a second, and what waits to be opened after it at once', async () => {
    const { page, open } = await openHanging('remove')
    const removal = remove(page)
    await page.rest()
    expect(open('remove')).toHaveLength(1)
    const opening = page.open()
    const ending = destroy(page)
    await expect(opening.unwrap()).rejects.toMatchObject(destroyed)
    expect(ending.isOver).toBe(false)
    page.fireTimers(1000)
    await ending.task.unwrap()
    await expect(removal.unwrap()).rejects.toMatchObject(destroyed)
    expect(page.delays()).toEqual([])
  })

  it('ends a removal that goes well', async () => {
    const { page, open, texts } = await openHanging('remove')
    const removal = remove(page)
    const ending = destroy(page)
    await page.rest()
    expect(ending.isOver).toBe(false)
    open('remove')[0]!.end()
    await removal.unwrap()
    await ending.task.unwrap()
    expect(texts.size).toBe(0)
  })
})
