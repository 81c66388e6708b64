import type { AgentTabChannel, AgentTabLocks } from 'redux-agent'
import { describe, expect, it, vi } from 'vitest'
import { log, replayed } from '../createCheckpointPage.ts'
import { noticeUncaught } from '../noticeUncaught.ts'
import { throwAfter } from '../throwAfter.ts'
import { createTabPages } from './createTabPages.ts'

type Page = ReturnType<ReturnType<typeof createTabPages>['open']>

async function rest(...pages: readonly Page[]) {
  for (let turns = 0; turns < 2; turns += 1) for (const page of pages) await page.rest(4)
}

const refuse = () => {
  throw new DOMException('Not in this page.', 'SecurityError')
}
const closed = (): AgentTabChannel => ({ onmessage: null, postMessage: refuse, close: refuse })
const lazyLocks: AgentTabLocks = { request: async () => refuse() }
const eagerLocks: AgentTabLocks = { request: refuse }

const { uncaught, unhandled } = noticeUncaught()

describe('a tab whose browser does not let it share', () => {
  it.each([
    ['channels are refused', { createChannel: refuse }],
    ['locks are refused', { locks: lazyLocks }],
    ['locks are refused by a throw', { locks: eagerLocks }],
    ['channels and locks are refused', { createChannel: refuse, locks: eagerLocks }],
    ['channels take nothing', { createChannel: closed }],
  ])('works by itself where %s', async (_name, instead) => {
    const { server, open } = createTabPages()
    const only = open({ instead })
    await rest(only)
    await only.opening.unwrap()
    void only.start()
    await only.finish()
    expect(only.state()).toEqual(replayed)
    expect(only.isFollowing()).toBe(false)
    only.tab.freeze()
    only.tab.thaw()
    await rest(only)
    await only.store.dispatch(only.agent.actions.removeSession({ sessionId: 's1' })).unwrap()
    await only.store.dispatch(only.agent.actions.removeSession({ sessionId: 'unopened' })).unwrap()
    expect(server.requests).toHaveLength(1)
    expect([uncaught, unhandled].map(({ mock }) => mock.calls)).toEqual([[], []])
  })

  it('and another one keep out of each other’s way where it has locks alone', async () => {
    const { open, browser } = createTabPages()
    const first = open()
    await rest(first)
    const second = open({ instead: { createChannel: refuse } })
    await rest(first, second)
    await second.opening.unwrap()
    for (let turns = 0; turns < 4; turns += 1) {
      second.fireTimers(3000)
      first.fireTimers(3000)
      await rest(first, second)
    }
    expect([first.isFollowing(), second.isFollowing()]).toEqual([false, false])
    expect(browser.locks().filter((name) => name.includes(':owner:'))).toHaveLength(1)
  })
})

describe('a tab that gets no locks, among others that do', () => {
  it('works by itself, and keeps the others from nothing', async () => {
    const { open, browser, server } = createTabPages({ byHand: true })
    const owner = open()
    await rest(owner)
    const alone = open({ instead: { locks: lazyLocks } })
    await rest(alone)
    const follower = open()
    const pages = [owner, alone, follower]
    const settle = async () => {
      await rest(...pages)
      for (let turns = 0; turns < 3; turns += 1) {
        browser.deliverAll()
        await rest(...pages)
      }
    }
    await settle()
    expect(pages.map((page) => page.isFollowing())).toEqual([false, false, true])
    void owner.start()
    await settle()
    await owner.finish()
    await settle()
    expect(follower.state()).toEqual(replayed)
    expect(server.requests).toHaveLength(1)
  })
})

describe('two tabs that both own a session, as their browser gives no locks', () => {
  it('remove it once each where one of them is told to', async () => {
    const { open, browser, storage } = createTabPages()
    let erased = 0
    async function remove() {
      erased += 1
      // So that a fault shows as a count, and not as a test that never ends.
      if (erased > 5) await new Promise(() => undefined)
    }
    const pages = [0, 1].map(() => open({ storage: { ...storage, remove }, instead: { locks: lazyLocks } }))
    await rest(...pages)
    expect(pages.map((page) => page.isFollowing())).toEqual([false, false])
    const [first] = pages
    await first!.store.dispatch(first!.agent.actions.removeSession({ sessionId: 's1' })).unwrap()
    await rest(...pages)
    expect(erased).toBe(2)
    expect(browser.kinds().filter((kind) => kind === 'removed')).toHaveLength(2)
  })
})

describe('a part of the app that throws while tabs tell each other', () => {
  const shown = 'The app fails.'

  it.each(['sessionRestored', 'runRequested', 'runRestored', 'eventsReceived', 'checkpointChanged', 'commandReported'])(
    'keeps a tab that follows from nothing: after %s',
    async (name) => {
      const { server, open } = createTabPages()
      const first = open()
      const second = open({ enhancer: throwAfter(name) })
      const opened = vi.fn()
      void second.opening.unwrap().then(opened)
      await rest(first, second)
      void first.start()
      for (let turns = 0; turns < 6; turns += 1) {
        second.fireTimers(3000)
        await rest(first, second)
      }
      await first.finish()
      await rest(first, second)
      expect(opened).toHaveBeenCalledOnce()
      expect([first.isFollowing(), second.isFollowing()]).toEqual([false, true])
      expect(second.state()).toEqual(replayed)
      expect(second.connection()).toEqual(first.connection())
      expect(server.requests).toHaveLength(1)
      expect(uncaught.mock.calls.every(([error]) => (error as Error).message === shown)).toBe(true)
      expect(unhandled.mock.calls).toEqual([])
    },
  )

  it.each(['sessionRestored', 'runRestored', 'checkpointChanged'])(
    'keeps a tab that takes a session over from nothing: after %s',
    async (name) => {
      const { server, open } = createTabPages({ hangAfterEvents: [40] })
      const [first, second] = [open(), open({ enhancer: throwAfter(name) })]
      await rest(first, second)
      void first.start()
      await rest(first, second)
      first.tab.close()
      await second.finish()
      expect(second.state()).toEqual(replayed)
      expect(server.requests.map(({ kind }) => kind)).toEqual(['start', 'resume'])
      expect(unhandled.mock.calls).toEqual([])
    },
  )

  it('does not keep a tab that goes from saving, nor another one from going on', async () => {
    const count = log.findIndex(({ type }, index) => index > 20 && type === 'message.delta')
    const { storage, browser, open } = createTabPages({ hangAfterEvents: [count] })
    const [first, second] = [open({ enhancer: throwAfter('eventsReceived') }), open()]
    await rest(first, second)
    void first.start()
    await rest(first, second)
    // Not told before the next frame, or as the tab goes.
    const { name } = browser.log.find(({ data }) => (data as { kind: string }).kind === 'snapshot')!
    browser.inject(name, { kind: 'handed', from: 'other', events: [log[count]] })
    expect(first.state().lastSequenceByRun).toEqual({ r1: count })
    first.tab.freeze()
    expect(first.state().lastSequenceByRun).toEqual({ r1: count + 1 })
    expect(storage.saved.at(-1)!.state).toEqual(first.state())
    await second.finish()
    expect(second.state()).toEqual(replayed)
    expect(unhandled.mock.calls).toEqual([])
  })
})

describe('the names that tabs meet under', () => {
  it('are another one for each user and session, whatever they hold', async () => {
    const { open } = createTabPages()
    const homes = [
      { name: 'agent:session:b', sessionId: 'c' },
      { name: 'agent', sessionId: 'b:session:c' },
      { name: 'agent:b', sessionId: 'c' },
      { name: 'agent', sessionId: 'b:c' },
      { name: 'agent%3Ab', sessionId: 'c' },
      { name: 'agent:owner:b', sessionId: 'c' },
      { name: 'agent', sessionId: 'b:owner:c' },
    ]
    const pages = homes.map(({ name, sessionId }) => ({ ...open({ runtime: { tabs: { name } }, sessionId }), sessionId }))
    await rest(...pages)
    await Promise.all(pages.map(({ opening }) => opening.unwrap()))
    expect(pages.map((page) => page.isFollowing(page.sessionId))).toEqual(pages.map(() => false))
  })
})
