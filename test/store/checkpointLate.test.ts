import { describe, expect, it } from 'vitest'
import { createStorage, encoded, openPage } from './createCheckpointPage.ts'
import { createFakeRunServer } from './createFakeRunServer.ts'
import { createForeignStorage } from './createForeignStorage.ts'
import { expectSilentConsole } from './createHarness.ts'
import { createPage } from './createPage.ts'
import { createTabPages } from './tabs/createTabPages.ts'
import { openTwoTabs } from './tabs/openTwoTabs.ts'

expectSilentConsole()

/** What a page kept of a run that stood at its 20th event. */
async function createKept() {
  const storage = createStorage()
  const { page } = await openPage({ storage, events: 20 })
  page.hide()
  return storage.saved.at(-1)!
}

describe('a checkpoint that comes after nobody waited for it any more', () => {
  it.each([
    ['was given up before anything came', true],
    ['is being asked for', false],
  ])('is put in place for a run that %s here, only where nobody reads that', async (_what, isGivenUp) => {
    const kept = await createKept()
    const late = createForeignStorage({ holds: (kind) => kind === 'load' })
    late.texts.set('s1', JSON.stringify(kept))
    const server = createFakeRunServer(encoded)
    let isHanging = true
    const fetch: typeof globalThis.fetch = (...input) =>
      isHanging ? new Promise(() => undefined) : server.fetch(...input)
    const page = createPage({ storage: late.storage, fetch })
    const opened = page.open()
    page.fireTimers(5000)
    await expect(opened.unwrap()).rejects.toMatchObject({ code: 'load_failed' })
    void page.start()
    await page.rest()
    if (isGivenUp) page.store.dispatch(page.agent.actions.abortRun({ sessionId: 's1' }))
    isHanging = false
    late.open('load')[0]!.end()
    await page.rest(1)
    expect(page.state().lastSequenceByRun).toEqual(isGivenUp ? expect.objectContaining({ r1: expect.any(Number) }) : {})
    expect(server.requests.map(({ kind }) => kind)).toEqual(isGivenUp ? ['resume'] : [])
  })
})

describe('a tab that could not read its storage', () => {
  it('writes nothing over it, also where another tab has it send a command', async () => {
    const pages = createTabPages({ hangAfterEvents: [40] })
    const storage = { ...pages.storage, load: () => Promise.reject(new Error('No.')) }
    const { first, second, rest } = openTwoTabs(pages, { first: { storage }, second: { ids: ['tab-b', 'c1'] } })
    await rest()
    void first.start()
    await rest()
    await rest()
    expect(second.state().runs.r1!.status).toBe('running')
    second.store.dispatch(second.agent.actions.cancelRun({ runId: 'r1' }))
    await rest()
    first.hide()
    await rest()
    expect(first.checkpointError()).toMatchObject({ code: 'load_failed' })
    expect(pages.storage.saved).toEqual([])
  })
})

describe('a tab that was frozen while it saved for the last time', () => {
  it('writes no more once another tab has taken the session over', async () => {
    const pages = createTabPages({ hangAfterEvents: [40, 60] })
    let isHeld = false
    const slow = createForeignStorage({ holds: () => isHeld })
    const storage = { ...pages.storage, flush: undefined, save: slow.storage.save }
    const { first, second, rest } = openTwoTabs(pages, { first: { storage } })
    await rest()
    isHeld = true
    void first.start()
    await first.rest()
    first.fireTimers(1000)
    await rest()
    first.tab.freeze()
    await rest()
    first.tab.thaw()
    await rest()
    expect([first.isFollowing(), second.isFollowing()]).toEqual([true, false])
    const begun = slow.asked.length
    expect(slow.open('save')).toHaveLength(1)
    slow.open('save')[0]!.end()
    await rest()
    expect(slow.asked).toHaveLength(begun)
  })
})
