import type { AgentCheckpointStorage } from 'redux-agent'
import { describe, expect, it, vi } from 'vitest'
import { encoded, log, openPage, reopen } from './createCheckpointPage.ts'
import { createFakeRunServer, encodeLog } from './createFakeRunServer.ts'
import { createForeignStorage, type ForeignWork } from './createForeignStorage.ts'
import { createHarness, expectSilentConsole } from './createHarness.ts'
import { createHangingFetch, createPage } from './createPage.ts'
import { createRecordedRun } from './createRecordedRun.ts'
import { createTabPages } from './tabs/createTabPages.ts'
import { openTwoTabs } from './tabs/openTwoTabs.ts'

type Page = ReturnType<typeof createPage>
const remove = (page: Page, options: { forget?: boolean; checkpointStorage?: AgentCheckpointStorage } = {}) =>
  page.store.dispatch(page.agent.actions.removeSession({ sessionId: 's1', ...options }))
const abort = (page: Page) => page.store.dispatch(page.agent.actions.abortRun({ sessionId: 's1' }))

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

  it('what is read after nobody waited for it any more is no longer so either', async () => {
    const { open, texts, storage } = createForeignStorage({ holds: (kind) => kind === 'load' })
    const server = createFakeRunServer(encoded)
    const page = reopen(storage, server.fetch)
    const opened = page.open()
    page.fireTimers(5000)
    await expect(opened.unwrap()).rejects.toMatchObject({ code: 'load_failed' })
    await remove(page).unwrap()
    texts.set('s1', JSON.stringify({ schemaVersion: 2 }))
    open('load')[0]!.end()
    await page.rest()
    expect(page.session()).toBe('idle')
    expect(page.checkpointError()).toBeUndefined()
  })

  it('a session that could not be read stays so where its removal fails', async () => {
    let isBroken = true
    const { storage, texts } = createForeignStorage({ holds: () => false })
    const fail = () => (isBroken ? Promise.reject(new Error('No.')) : undefined)
    const page = reopen(
      {
        ...storage,
        load: (id) => fail() ?? storage.load(id),
        remove: (id) => fail() ?? storage.remove(id),
      },
      createFakeRunServer(encoded).fetch,
    )
    await expect(page.open().unwrap()).rejects.toMatchObject({ code: 'load_failed' })
    await expect(remove(page).unwrap()).rejects.toMatchObject({ code: 'save_failed' })
    page.hide()
    expect(texts.size).toBe(0)
    expect(page.session()).toBe('failed')
    isBroken = false
    await remove(page).unwrap()
    expect(page.session()).toBe('idle')
  })

  it('is told of a session that is not open as well, where it fails, hangs, or nothing is kept', async () => {
    const { storage, open } = createForeignStorage()
    const page = reopen(storage, createFakeRunServer(encoded).fetch)
    const failing = remove(page)
    await page.rest()
    open('remove')[0]!.end(new Error('No.'))
    await expect(failing.unwrap()).rejects.toMatchObject({ code: 'save_failed' })
    const hanging = remove(page)
    await page.rest()
    page.fireTimers(5000)
    await expect(hanging.unwrap()).rejects.toMatchObject({ code: 'save_failed' })
    open('remove')[0]!.end()
    await page.rest()
    expect(page.delays()).toEqual([])
    const { agent, store } = createHarness()
    await store.dispatch(agent.actions.removeSession({ sessionId: 's1' })).unwrap()
  })

  it('another tab that takes the session meanwhile keeps it', async () => {
    for (const error of [undefined, new Error('No.')]) {
      const pages = createTabPages({ hangAfterEvents: [40] })
      const held = createForeignStorage({ holds: (kind) => kind === 'remove' })
      const storage = { ...pages.storage, remove: held.storage.remove }
      const { first, second, rest } = openTwoTabs(pages, { first: { storage } })
      await rest()
      void first.start()
      await rest()
      const removal = remove(first)
      const outcome = removal.unwrap().then(() => undefined, (reason: unknown) => reason)
      await rest()
      void second.start('Mine')
      await rest()
      await rest()
      expect([first.isFollowing(), second.isFollowing()]).toEqual([true, false])
      const before = pages.storage.saved.length
      held.open('remove')[0]!.end(error)
      await rest()
      expect(await outcome).toEqual(error ? expect.objectContaining({ code: 'save_failed' }) : undefined)
      first.hide()
      await first.rest()
      // What follows saves nothing, whatever became of its removal.
      expect(first.isFollowing()).toBe(true)
      const bySecond = pages.storage.saved.slice(before)
      expect(bySecond.every(({ sessionId }) => sessionId === 's1')).toBe(true)
    }
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

  it('deletes a session from a storage of its own, open or named', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
    const [own, other] = [createForeignStorage({ holds: () => false }), createForeignStorage({ holds: () => false })]
    for (const { texts, quarantined } of [own, other]) {
      texts.set('s1', 'null')
      quarantined.add('s1')
    }
    const page = reopen(other.storage, createFakeRunServer(encoded).fetch)
    await remove(page, { forget: true, checkpointStorage: own.storage }).unwrap()
    expect([own.texts.size, own.quarantined.size, other.asked]).toEqual([0, 0, []])
    await page.store.dispatch(page.agent.actions.openSession({ sessionId: 's1', checkpointStorage: own.storage })).unwrap()
    own.quarantined.add('s1')
    await remove(page, { forget: true }).unwrap()
    expect([own.quarantined.size, other.asked]).toEqual([0, []])
    // Where it is open it is kept where it was opened, which is said.
    await remove(page, { forget: true, checkpointStorage: other.storage }).unwrap()
    expect(other.asked).toEqual([])
    expect(warn).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('another checkpointStorage'))
    warn.mockClear()
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
