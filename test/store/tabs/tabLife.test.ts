import type { Store, UnknownAction } from '@reduxjs/toolkit'
import { ActionCreators, instrument, type LiftedState } from '@redux-devtools/instrument'
import { createScriptedProvider } from 'redux-agent/testing'
import { describe, expect, it } from 'vitest'
import { replayed } from '../createCheckpointPage.ts'
import { createPage } from '../createPage.ts'
import { createRun } from '../createRunEvents.ts'
import { createTabModel } from './createTabModel.ts'
import { createTabPages } from './createTabPages.ts'

type Page = ReturnType<ReturnType<typeof createTabPages>['open']>

const patience = 3000

async function rest(...pages: readonly Page[]) {
  for (let turns = 0; turns < 2; turns += 1) for (const page of pages) await page.rest(4)
}

/** Two tabs, the first of which reads a run that stands at its 40th event. */
async function openTwo(options: Parameters<typeof createTabPages>[0] = { hangAfterEvents: [40] }) {
  const pages = createTabPages(options)
  const [first, second] = [pages.open(), pages.open({ ids: ['tab-b', 'r2'] })]
  await rest(first, second)
  void first.start()
  await rest(first, second)
  return { ...pages, first, second }
}

const resumed = { kind: 'resume', runId: 'r1', after: 40 }

describe('an owner that sleeps', () => {
  it('gives the session up in the back/forward cache, and follows when it comes back', async () => {
    const { server, browser, first, second } = await openTwo()
    first.tab.freeze()
    await rest(second)
    expect(browser.locks().filter((name) => name.includes(':stream:'))).toHaveLength(0)
    expect(server.requests.slice(1)).toEqual([resumed])
    await second.finish()
    expect(first.state().lastSequenceByRun.r1).toBe(40)
    first.tab.thaw()
    await rest(first, second)
    expect([first.isFollowing(), second.isFollowing()]).toEqual([true, false])
    expect(first.state()).toEqual(replayed)
    expect(server.requests).toHaveLength(2)
  })

  it('goes on by itself where no other tab is open, from where it stood', async () => {
    const { server, first, second, storage } = await openTwo()
    second.tab.close()
    first.tab.freeze()
    // What it had is stored by the end of the call.
    expect(storage.saved.at(-1)!.state.lastSequenceByRun).toEqual({ r1: 40 })
    first.tab.thaw()
    await rest(first)
    expect(server.requests.slice(1)).toEqual([resumed])
    await first.finish()
    expect(first.state()).toEqual(replayed)
  })

  it('takes what was stored since, where the other tab is gone again when it comes back', async () => {
    const { server, first, second } = await openTwo()
    first.tab.freeze()
    await rest(second)
    await second.finish()
    second.tab.close()
    first.tab.thaw()
    await rest(first)
    expect(first.state()).toEqual(replayed)
    expect(server.requests).toHaveLength(2)
  })

  it('has everything once and in its place when it comes back to what another tab has done', async () => {
    const { browser, storage } = createTabPages()
    const open = (runId: string) => {
      const run = createRun(runId)
      const events = [
        run.create('run.started', {}),
        run.create('run.started', {}),
        run.create('message.started', { messageId: 'm', role: 'assistant', content: runId }),
        run.create('run.completed', {}),
      ]
      const provider = createScriptedProvider({ steps: [{ events }] })
      const tab = browser.createTab()
      const runtime = { providers: [provider] }
      const page = createPage({ fetch, storage, ids: [`tab-${runId}`, runId], runtime, environment: tab.environment })
      page.open().catch(() => undefined)
      const { agent, store } = page
      const begin = () => store.dispatch(agent.actions.startRun({ sessionId: 's1', provider: 'scripted', input: {} }))
      return { ...page, tab, begin }
    }
    const first = open('r1')
    await first.rest()
    await first.begin()
    expect(first.state().issues).toMatchObject([{ code: 'duplicate_entity', runId: 'r1' }])
    first.tab.freeze()
    const second = open('r2')
    await second.rest()
    await second.begin()
    second.tab.close()
    first.tab.thaw()
    await first.rest()
    expect(first.state().order.map(({ runId }) => runId)).toEqual(['r1', 'r2'])
    expect(first.state().issues.map(({ runId }) => runId)).toEqual(['r1', 'r2'])
  })

  it('loses the session when it says nothing for two times 3 s while something goes on', async () => {
    const { server, first, second } = await openTwo()
    first.tab.hang()
    second.wake()
    await rest(second)
    second.fireTimers(patience)
    await rest(second)
    expect(second.isFollowing()).toBe(true)
    second.fireTimers(patience)
    await rest(second)
    expect(second.isFollowing()).toBe(false)
    expect(server.requests.slice(1)).toEqual([resumed])
    expect(first.isFollowing()).toBe(true)
    first.tab.thaw()
    // What it asked while it slept was not answered: it asks again.
    first.fireTimers(patience)
    await rest(first, second)
    expect(first.state()).toEqual(second.state())
    expect(first.connection()).toEqual(second.connection())
  })

  it('keeps the session as long as it answers, however long its storage takes', async () => {
    const { storage, open } = createTabPages()
    let settle!: () => void
    storage.gate = new Promise<void>((resolve) => (settle = resolve))
    const [first, second] = [open(), open()]
    for (let turns = 0; turns < 6; turns += 1) {
      await rest(first, second)
      second.fireTimers(patience)
    }
    expect([first.session(), second.session()]).toEqual(['restoring', 'restoring'])
    settle()
    await rest(first, second)
    await Promise.all([first.opening.unwrap(), second.opening.unwrap()])
    expect([first.isFollowing(), second.isFollowing()]).toEqual([false, true])
  })

  it('is waited for while it is asked for the session, and replaced where it says nothing', async () => {
    const { server, first, second } = await openTwo({ hangAfterEvents: [40, 0, 0] })
    first.tab.hang()
    const task = second.start()
    await rest(second)
    second.fireTimers(patience)
    await rest(second)
    second.fireTimers(patience)
    await rest(second)
    expect(second.isFollowing()).toBe(false)
    expect(server.requests.map(({ kind }) => kind)).toEqual(['start', 'resume', 'start'])
    expect(task.runId).not.toBe('')
  })
})

describe('tabs that are opened together', () => {
  it('restore one run once, which both show', async () => {
    const { server, open, first, second } = await openTwo()
    first.hide()
    second.tab.kill()
    first.tab.kill()
    const [third, fourth] = [open(), open()]
    await rest(third, fourth)
    expect(server.requests.slice(1)).toEqual([resumed])
    await third.finish()
    await rest(fourth)
    expect(third.state()).toEqual(replayed)
    expect(fourth.state()).toEqual(replayed)
    expect([third.isFollowing(), fourth.isFollowing()]).toEqual([false, true])
  })

  it('say nothing to each other where there is only one', async () => {
    const { browser, open } = createTabPages()
    const only = open()
    await rest(only)
    void only.start()
    await only.finish()
    expect(browser.kinds()).toEqual(['owned'])
  })

  it('save once: only the owner writes', async () => {
    const { storage, first, second } = await openTwo()
    const before = storage.saved.length
    second.hide()
    second.fireTimers(1000)
    await rest(second)
    expect(storage.saved).toHaveLength(before)
    first.hide()
    expect(storage.saved.length).toBeGreaterThan(before)
  })
})

describe('what is on the channel', () => {
  const events = [{ type: 'run.completed', runId: 'r1', sessionId: 's1' }]

  it.each([
    ['nothing', undefined],
    ['no message', { kind: 'changed' }],
    ['a kind of another version', { kind: 'merged', from: 'x' }],
    ['events that are none', { kind: 'changed', from: 'tab-a', epoch: 1e15, number: 1, change: { kind: 'events', events } }],
    ['a snapshot that is none', { kind: 'snapshot', from: 'x', to: 'tab-b', epoch: 1e15, number: 1, session: { checkpoint: {}, runs: [] } }],
    ['a connection of no state', { kind: 'changed', from: 'tab-a', epoch: 1e15, number: 1, change: { kind: 'run', run: { connection: { state: 'toString' } } } }],
    ['a getter that throws', { kind: 'owned', from: 'x', get epoch() { throw new Error('No.') } }],
  ])('is ignored where it is %s', async (_name, data) => {
    const { browser, first, second } = await openTwo()
    const before = [first, second].map((page) => page.store.getState())
    const said = browser.log.length
    browser.inject('redux-agent:2:agent:session:s1', data)
    await rest(first, second)
    expect([first, second].map((page) => page.store.getState())).toEqual(before)
    expect(browser.log).toHaveLength(said)
  })

  it.each(['owned', 'hello'])('parts no tabs where it counts as high as can be counted: %s', async (kind) => {
    const { browser, first, second } = await openTwo()
    browser.inject('redux-agent:2:agent:session:s1', { kind, from: 'x', epoch: Number.MAX_SAFE_INTEGER })
    for (let turns = 0; turns < 4; turns += 1) {
      await rest(first, second)
      for (const page of [first, second]) page.fireTimers(3000)
    }
    expect([first.isFollowing(), second.isFollowing()]).toEqual([false, true])
    first.store.dispatch(first.agent.actions.abortRun({ sessionId: 's1' }))
    await rest(first, second)
    expect(second.connection()).toMatchObject({ state: 'idle', detached: true })
  })

  it('is ignored where it is of another session', async () => {
    const { browser, first, second } = await openTwo()
    const before = second.store.getState()
    const told = browser.log.map(({ data }) => data as { kind: string; change?: { kind: string }; number: number })
    const last = told.findLast(({ change }) => change?.kind === 'events') as unknown as { change: { events: object[] } }
    const foreign = last.change.events.map((event) => ({ ...event, sessionId: 's2' }))
    browser.inject('redux-agent:2:agent:session:s1', { ...last, number: 1e6, change: { kind: 'events', events: foreign } })
    await rest(first, second)
    expect(second.store.getState()).toBe(before)
  })

  it.each([0, 1000])('is asked about once where it is of an owner that is gone, from %i ms later', async (later) => {
    const model = createTabModel(['say'])
    model.open(0)
    model.open(1)
    const rest = async () => {
      await model.rest()
      model.browser.deliverAll()
      await model.rest()
    }
    await rest()
    await rest()
    model.act(0, 'start')
    await rest()
    const said = model.browser.log.map(({ data }) => data as { kind: string; epoch: number })
    const told = said.findLast(({ kind }) => kind === 'changed')!
    const hellos = () => model.browser.kinds().filter((kind) => kind === 'hello').length
    const before = hellos()
    const gone = { ...told, from: 'gone', epoch: told.epoch + later, number: 100 }
    model.browser.inject('redux-agent:2:agent:session:s1', gone)
    // What comes before the snapshot does not keep the tab asking either.
    model.browser.inject('redux-agent:2:agent:session:s1', { ...gone, number: 101 })
    await rest()
    await rest()
    expect(hellos()).toBeLessThanOrEqual(before + 2)
    expect(model.stateOf(model.pages[1]!)).toEqual(model.stateOf(model.pages[0]!))
  })

  it('brings no field along that a run does not have, and no input that no run has', async () => {
    const { browser, first, second, open } = await openTwo()
    await rest(first, open({ ids: ['tab-c'] }))
    // It has the lock and says nothing, so that another tab has but what is put on the channel.
    first.tab.hang()
    const third = open({ ids: ['tab-d'] })
    await rest(third)
    interface Snapshot {
      kind: string
      session: { runs: { connection: object; input?: object }[] }
    }
    const told = browser.log.map(({ data }) => data as Snapshot).findLast(({ kind }) => kind === 'snapshot')!
    const [run] = told.session.runs
    const put = (change: object) => {
      const session = { ...told.session, runs: [{ ...run, ...change }] }
      browser.inject('redux-agent:2:agent:session:s1', { ...told, to: 'tab-d', session })
      return rest(third)
    }
    await put({ input: { value: new Map() } })
    expect(third.connection()).toBeUndefined()
    await put({ connection: { ...run!.connection, isFollowed: true, script: 'x' } })
    expect(third.connection()).toEqual(second.connection())
  })

  it('is of one runtime and one name: others hear nothing of it', async () => {
    const { open, browser } = createTabPages()
    const [first, second] = [open(), open({ runtime: { tabs: { name: 'user-2' } } })]
    await rest(first, second)
    expect([first.isFollowing(), second.isFollowing()]).toEqual([false, false])
    expect(browser.kinds()).toEqual(['owned', 'owned'])
  })
})

describe('a tab in which DevTools shows the past', () => {
  const lift = ({ store }: Page) =>
    (store as unknown as { liftedStore: Store<LiftedState<unknown, UnknownAction, null>> }).liftedStore
  const toPast = (page: Page) => void lift(page).dispatch(ActionCreators.jumpToState(1) as never)
  const toPresent = (page: Page) =>
    void lift(page).dispatch(ActionCreators.jumpToState(lift(page).getState().stagedActionIds.length - 1) as never)
  const enhancer = instrument() as never

  it('tells the others what is true, not what it shows', async () => {
    const { open } = createTabPages({ hangAfterEvents: [40] })
    const first = open({ enhancer })
    await rest(first)
    void first.start()
    await rest(first)
    toPast(first)
    expect(first.state().runs).toEqual({})
    const second = open()
    await rest(first, second)
    expect(second.state().lastSequenceByRun.r1).toBe(40)
    expect(second.connection()).toMatchObject({ state: 'connected' })
    toPresent(first)
    expect(first.state()).toEqual(second.state())
  })

  it('follows on, and is whole when it is back', async () => {
    const { open } = createTabPages({ hangAfterEvents: [40] })
    const [first, second] = [open(), open({ enhancer })]
    await rest(first, second)
    toPast(second)
    void first.start()
    await rest(first, second)
    expect(second.state().runs).toEqual({})
    toPresent(second)
    expect(second.state()).toEqual(first.state())
    expect(second.state().lastSequenceByRun.r1).toBe(40)
  })

  it('goes on with the run of a tab that is closed, unseen', async () => {
    const { server, open } = createTabPages({ hangAfterEvents: [40] })
    const [first, second] = [open(), open({ enhancer })]
    await rest(first, second)
    void first.start()
    await rest(first, second)
    toPast(second)
    first.tab.close()
    await rest(second)
    await rest(second)
    expect(server.requests.slice(1)).toEqual([resumed])
    toPresent(second)
    expect(second.state()).toEqual(replayed)
  })
})

describe('where tabs do not share', () => {
  it.each([
    ['the browser has no locks', { locks: undefined }, {}],
    ['the browser has no channels', { createChannel: undefined }, {}],
    ['the app does not want it', {}, { tabs: false as const }],
  ])('both work, as %s, and the newer checkpoint wins', async (_name, instead, runtime) => {
    const { server, storage, browser, open } = createTabPages({ hangAfterEvents: [40, 50] })
    const first = open({ runtime, instead, ids: ['r1'] })
    await rest(first)
    void first.start()
    await rest(first)
    first.hide()
    const second = open({ runtime, instead, ids: ['r2'] })
    await rest(second)
    expect(server.requests.slice(1)).toEqual([resumed])
    expect(second.state().lastSequenceByRun.r1).toBe(50)
    expect([first.isFollowing(), second.isFollowing()]).toEqual([false, false])
    expect(browser.kinds()).toEqual([])
    first.hide()
    second.hide()
    expect(storage.saved.at(-1)!.state.lastSequenceByRun).toEqual({ r1: 50 })
    const third = open({ runtime, instead, ids: ['r3'] })
    await rest(third)
    await third.finish()
    expect(third.state()).toEqual(replayed)
  })
})
