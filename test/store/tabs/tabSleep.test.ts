import { describe, expect, it } from 'vitest'
import { replayed } from '../createCheckpointPage.ts'
import { createTabPages } from './createTabPages.ts'
import { openTwoTabs } from './openTwoTabs.ts'

const resumed = { kind: 'resume', runId: 'r1', after: 40 }

describe('a page that comes back from the back/forward cache', () => {
  it.each(['fails', 'does not answer'] as const)('goes on from where it stood, also where the storage %s by then', async (way) => {
    const pages = createTabPages({ hangAfterEvents: [40] })
    let isBroken = false
    const load = (sessionId: string) => {
      if (!isBroken) return pages.storage.load(sessionId)
      if (way === 'fails') throw new Error('No.')
      return new Promise<undefined>(() => undefined)
    }
    const page = pages.open({ storage: { ...pages.storage, load } })
    await page.rest(8)
    void page.start()
    await page.rest(8)
    page.tab.freeze()
    isBroken = true
    page.tab.thaw()
    await page.rest(8)
    page.fireTimers(5000)
    await page.rest(8)
    expect(page.checkpointError()).toMatchObject({ code: 'load_failed' })
    expect(pages.server.requests.slice(1)).toEqual([resumed])
    await page.finish()
    expect(page.state()).toEqual(replayed)
  })

  /** Two tabs, of which the first one, asleep by now, had a run; the other one has gone on with that. */
  async function fallAsleep() {
    const pages = createTabPages({ hangAfterEvents: [40, 50] })
    const first = pages.open()
    await first.rest(8)
    void first.start()
    await first.rest(8)
    const second = pages.open({ ids: ['tab-b', 'r2'] })
    const rest = async () => {
      for (const page of [second, first, second, first]) await page.rest(4)
    }
    await rest()
    first.tab.freeze()
    await second.rest(8)
    expect(second.state().lastSequenceByRun).toEqual({ r1: 50 })
    for (const page of [first, second]) page.advance(60_000)
    const remove = () => second.store.dispatch(second.agent.actions.removeSession({ sessionId: 's1' })).unwrap()
    return { ...pages, first, second, rest, remove }
  }

  it.each(['is there', 'is gone'])('has nothing of a session that was removed meanwhile by a tab that %s, and stores nothing of it', async (other) => {
    const { storage, first, second, rest, remove } = await fallAsleep()
    await remove()
    if (other === 'is gone') second.tab.close()
    first.tab.thaw()
    await rest()
    expect(first.state()).toMatchObject({ runs: {}, order: [] })
    expect(first.connection()).toBeUndefined()
    expect(first.session()).toBe('idle')
    first.hide()
    second.hide()
    await rest()
    expect(storage.texts.size).toBe(0)
  })

  it.each(['is there', 'is gone'])('starts what is asked for at once, in the clean session, where the tab that removed it %s', async (other) => {
    const { server, first, second, rest, remove } = await fallAsleep()
    await remove()
    if (other === 'is gone') second.tab.close()
    const before = server.requests.length
    first.tab.thaw()
    const task = first.start('More')
    await rest()
    await rest()
    expect(server.requests.slice(before)).toMatchObject([{ kind: 'start', runId: task.runId }])
    expect(first.connection('r1')).toBeUndefined()
  })

  it('can go on with a run that the tab which owns the session by now never heard of, as no storage had it', async () => {
    const { storage, server, open } = createTabPages({ hangAfterEvents: [40] })
    const first = open()
    await first.rest(8)
    storage.saveFault = new Error('Full.')
    void first.start()
    await first.rest(8)
    first.tab.freeze()
    const second = open({ ids: ['tab-b', 'r2'] })
    const rest = async () => {
      for (const page of [second, first, second, first]) await page.rest(4)
    }
    await second.rest(8)
    first.tab.thaw()
    await rest()
    expect([first.isFollowing(), second.isFollowing()]).toEqual([true, false])
    expect(first.connection()).toMatchObject({ state: 'unrecoverable', canResume: true })
    expect(first.session()).toBe('unrecoverable')
    expect(server.requests).toHaveLength(1)
    const task = first.store.dispatch(first.agent.actions.resumeRun({ runId: 'r1' }))
    await rest()
    await rest()
    await task.unwrap()
    expect(server.requests.slice(1)).toEqual([resumed])
    for (const page of [first, second]) expect(page.state()).toEqual(replayed)
  })

  it('keeps what it began after a removal, of which the other tab heard a moment later', async () => {
    const pages = createTabPages({ hangAfterEvents: [40] })
    const { first, second, rest } = openTwoTabs(pages)
    await rest()
    second.advance(3)
    await first.store.dispatch(first.agent.actions.removeSession({ sessionId: 's1' })).unwrap()
    await rest()
    void first.start()
    await rest()
    const seen: number[] = []
    first.store.subscribe(() => seen.push(first.state().order.length))
    const entities = first.state().order.length
    first.tab.freeze()
    await second.rest(8)
    expect(second.isFollowing()).toBe(false)
    first.tab.thaw()
    for (const page of [second, first, second, first]) await page.rest(4)
    expect(first.state()).toEqual(second.state())
    expect(Math.min(...seen)).toBeGreaterThanOrEqual(entities)
  })

  it('keeps what it has where nothing was removed since', async () => {
    const { first, second, rest, remove } = await fallAsleep()
    first.tab.thaw()
    await rest()
    expect(first.state()).toEqual(second.state())
    second.tab.freeze()
    await first.rest(8)
    await first.finish()
    expect(first.state()).toEqual(replayed)
    second.tab.thaw()
    await rest()
    await remove()
    await rest()
    expect(first.state().runs).toEqual({})
  })
})

describe('a snapshot of before', () => {
  it('takes nothing back that was told since', async () => {
    const { browser, open } = createTabPages({ hangAfterEvents: [40] })
    const [first, second] = [open(), open({ ids: ['tab-b', 'r2'] })]
    const rest = async () => {
      for (const page of [first, second, first, second]) await page.rest(4)
    }
    await rest()
    void first.start()
    await rest()
    const before = second.store.getState()
    const old = browser.log.find(({ data }) => (data as { kind: string }).kind === 'snapshot')!
    browser.inject(old.name, old.data)
    await rest()
    expect(second.connection()).toMatchObject({ state: 'connected' })
    expect(second.store.getState()).toBe(before)
  })
})
