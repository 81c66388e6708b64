import type { Store, UnknownAction } from '@reduxjs/toolkit'
import type { AgentEventFactory } from 'redux-agent'
import { createGate, createScriptedProvider } from 'redux-agent/testing'
import { ActionCreators, instrument, type LiftedState } from '@redux-devtools/instrument'
import { describe, expect, it } from 'vitest'
import { createStorage, encoded, openPage, replayed } from './createCheckpointPage.ts'
import { createOpening } from './createCommandRun.ts'
import { createFakeRunServer } from './createFakeRunServer.ts'
import { createForeignStorage } from './createForeignStorage.ts'
import { createHarness, endOfTask, expectSilentConsole } from './createHarness.ts'
import { createPage } from './createPage.ts'
import { createRun } from './createRunEvents.ts'
import { createTabPages } from './tabs/createTabPages.ts'
import { openTwoTabs } from './tabs/openTwoTabs.ts'

expectSilentConsole()

type Closable = Pick<ReturnType<typeof createPage>, 'store' | 'agent'>
const close = ({ store, agent }: Closable, sessionId = 's1') => store.dispatch(agent.actions.closeSession({ sessionId }))

/** All that a store shows of its sessions. */
function shownIn({ store }: Closable) {
  const { agentState, commandStates, connection } = store.getState().agent
  return { sessions: agentState.sessions, commandStates, connection }
}

const nothing = { sessions: {}, commandStates: {}, connection: { runs: {}, latestRunBySession: {} } }

describe('closing a session of many', () => {
  it('leaves nothing of it here, and it goes on where it is opened again', async () => {
    const storage = createStorage()
    const { page, server } = await openPage({ storage, events: 20 })
    expect(page.state().lastSequenceByRun).toEqual({ r1: 20 })
    await close(page).unwrap()
    expect(shownIn(page)).toEqual(nothing)
    expect([page.delays(), page.frames()]).toEqual([[], 0])
    await page.open().unwrap()
    await page.finish()
    expect(page.state()).toEqual(replayed)
    expect(server.requests.slice(1)).toEqual([{ kind: 'resume', runId: 'r1', after: 20 }])
  })

  it('leaves the others as they are', async () => {
    const storage = createStorage()
    const { page } = await openPage({ storage, events: 20 })
    await page.open('__proto__').unwrap()
    const before = page.agent.selectors.selectSession(page.store.getState(), 's1')
    await close(page, '__proto__').unwrap()
    await close(page, 'constructor').unwrap()
    expect(page.agent.selectors.selectSession(page.store.getState(), 's1')).toBe(before)
    expect(page.connection()?.state).toBe('connected')
  })

  it('keeps what had not been saved yet, and a command that nobody answered', async () => {
    const storage = createStorage()
    const [stays, answer] = [createGate(), createGate()]
    const provider = createScriptedProvider({
      steps: [{ events: createOpening(createRun('r1')) }, { gate: stays }],
      commands: { 'approval.resolve': [{ gate: answer }] },
    })
    const harness = createHarness({ providers: [provider], ids: ['r1', 'c1'], checkpointStorage: storage })
    const { store, agent } = harness
    const { openSession, startRun, resolveApproval } = agent.actions
    await store.dispatch(openSession({ sessionId: 's1' })).unwrap()
    void store.dispatch(startRun({ sessionId: 's1', provider: 'scripted', input: null }))
    await endOfTask()
    const task = store.dispatch(resolveApproval({ runId: 'r1', approvalId: 'a', decision: 'approved' }))
    await answer.reached
    await close(harness).unwrap()
    await expect(task.unwrap()).rejects.toMatchObject({ code: 'interrupted' })
    expect(storage.saved.at(-1)!.pendingCommands).toMatchObject([{ type: 'approval.resolve' }])
    expect(shownIn(harness)).toEqual(nothing)
  })

  it('forgets its runs: the next one of the same id is a run of its own', async () => {
    const stays = createGate()
    const provider = createScriptedProvider({ steps: [{ events: createOpening(createRun('r1')) }, { gate: stays }] })
    const harness = createHarness({ providers: [provider] })
    const { store, agent } = harness
    const start = () => store.dispatch(agent.actions.startRun({ sessionId: 's1', provider: 'scripted', input: null, runId: 'r1' }))
    const first = start()
    await endOfTask()
    await close(harness).unwrap()
    await first
    expect(shownIn(harness)).toEqual(nothing)
    void start()
    await endOfTask()
    expect(agent.selectors.selectRun(store.getState(), { runId: 'r1' })).toMatchObject({ status: 'running' })
    expect(shownIn(harness).connection.runs.r1).toMatchObject({ state: 'connected' })
  })

  it('loses what no storage keeps', async () => {
    const harness = createHarness({ providers: [createScriptedProvider({ steps: [] })] })
    await harness.store.dispatch(harness.agent.actions.startRun({ sessionId: 's1', provider: 'scripted', input: null }))
    await close(harness).unwrap()
    expect(shownIn(harness)).toEqual(nothing)
  })

  it('lets a run that is asked for meanwhile be the first of what comes next', async () => {
    let isHeld = false
    const foreign = createForeignStorage({ holds: () => isHeld })
    const { page, server } = await openPage({ storage: foreign.storage, events: 20, ids: ['r1', 'r2'] })
    isHeld = true
    const closing = close(page)
    void page.start('More')
    await page.rest()
    expect(server.requests).toHaveLength(1)
    isHeld = false
    for (const { end } of foreign.open('save')) end()
    await closing.unwrap()
    await page.rest()
    expect(server.requests.map(({ kind, runId }) => [kind, runId])).toEqual([
      ['start', 'r1'],
      ['start', 'r2'],
    ])
    expect(Object.keys(shownIn(page).connection.runs)).toEqual(['r2'])
  })

  it('follows a run again that somebody followed while it was closed', async () => {
    const scripted = createScriptedProvider({ steps: [], capabilities: { sequence: 'dense' } })
    async function* follow() {
      yield { events: createOpening(createRun('r1')), cursor: '8' }
      await new Promise(() => undefined)
    }
    const provider = { ...scripted, transport: { ...scripted.transport, follow } }
    const harness = createHarness({ providers: [provider] })
    const { store, agent, connection } = harness
    const attach = () => store.dispatch(agent.actions.followRun({ sessionId: 's1', runId: 'r1', provider: 'scripted' }))
    const stop = attach()
    await endOfTask()
    expect(connection('r1')).toMatchObject({ isFollowed: true })
    await close(harness).unwrap()
    expect(connection('r1')).toBeUndefined()
    const stopAgain = attach()
    await endOfTask()
    expect(connection('r1')).toMatchObject({ isFollowed: true })
    for (const leave of [stop, stopAgain]) leave()
  })

  it('writes nothing where nothing has changed', async () => {
    const storage = createStorage()
    const page = createPage({ storage, fetch: createFakeRunServer(encoded).fetch })
    await page.open().unwrap()
    await close(page).unwrap()
    expect(storage.saved).toEqual([])
  })

  it('puts nothing in place that was still being read', async () => {
    const storage = createStorage()
    await openPage({ storage, events: 20 }).then(({ page }) => page.hide())
    let open!: () => void
    storage.gate = new Promise<void>((resolve) => (open = resolve))
    const page = createPage({ storage, fetch: createFakeRunServer(encoded).fetch })
    const opened = page.open()
    await page.rest()
    await close(page).unwrap()
    open()
    await opened.unwrap()
    await page.rest()
    expect(shownIn(page)).toEqual(nothing)
  })

  it('is refused by name', async () => {
    const { store, agent } = createHarness()
    await expect(store.dispatch(agent.actions.closeSession({ sessionId: '' })).unwrap()).rejects.toMatchObject({
      code: 'invalid_session',
    })
  })

  it('has nothing to let go of once the runtime is gone', async () => {
    const harness = createHarness()
    await harness.store.dispatch(harness.agent.actions.destroy()).unwrap()
    await expect(close(harness).unwrap()).resolves.toBeUndefined()
  })
})

describe('a session that cannot be saved', () => {
  it('stays open, and goes on, where its storage says no', async () => {
    const storage = createStorage()
    const { page } = await openPage({ storage, events: 20 })
    storage.saveFault = new Error('No.')
    await expect(close(page).unwrap()).rejects.toMatchObject({ code: 'save_failed' })
    expect(page.state().lastSequenceByRun).toEqual({ r1: 20 })
    expect(page.connection()?.state).toBe('connected')
    storage.saveFault = undefined
    await close(page).unwrap()
    expect(shownIn(page)).toEqual(nothing)
  })

  it('stays open where nothing may be written over what could not be read', async () => {
    const storage = createStorage()
    const load = () => Promise.reject(new Error('No.'))
    const page = createPage({ storage: { ...storage, load }, fetch: createFakeRunServer(encoded).fetch })
    await page.open().unwrap().catch(() => undefined)
    await page.start()
    await page.finish()
    expect(page.state()).toEqual(replayed)
    await expect(close(page).unwrap()).rejects.toMatchObject({ code: 'save_failed' })
    expect(page.state()).toEqual(replayed)
    expect(storage.saved).toEqual([])
  })

  it('stays open where its storage hangs', async () => {
    let isHanging = true
    const foreign = createForeignStorage({ holds: (kind) => isHanging && kind === 'save' })
    const page = createPage({ storage: foreign.storage, fetch: createFakeRunServer(encoded).fetch })
    await page.open().unwrap()
    void page.start()
    await page.rest()
    const closing = close(page)
    await page.rest()
    page.fireTimers(1000)
    await expect(closing.unwrap()).rejects.toMatchObject({ code: 'save_failed' })
    isHanging = false
    for (const { end } of foreign.open('save')) end()
    await page.rest()
    await close(page).unwrap()
    expect(shownIn(page)).toEqual(nothing)
  })
})

describe('a session that two tabs share', () => {
  it('is gone on with by the other one, where its owner closes it', async () => {
    const pages = createTabPages({ hangAfterEvents: [40] })
    const { first, second, rest } = openTwoTabs(pages)
    await rest()
    void first.start()
    await rest()
    await close(first).unwrap()
    await second.finish()
    expect(second.state()).toEqual(replayed)
    expect(second.isFollowing()).toBe(false)
    expect(shownIn(first)).toEqual(nothing)
    first.wake()
    await rest()
    expect(shownIn(first)).toEqual(nothing)
  })

  it('stays its owner’s where the one that follows closes it', async () => {
    const pages = createTabPages({ hangAfterEvents: [40] })
    const { first, second, rest } = openTwoTabs(pages)
    await rest()
    void first.start()
    await rest()
    await close(second).unwrap()
    await rest()
    expect(shownIn(second)).toEqual(nothing)
    expect(first.isFollowing()).toBe(false)
    expect(first.connection()?.state).toBe('connected')
  })
})

describe('a session that was closed, and the past', () => {
  async function createTravelled() {
    const steps = [{ events: (run: AgentEventFactory) => [run.create('run.started', {}), run.create('run.completed', {})] }]
    const harness = createHarness({
      providers: [createScriptedProvider({ steps })],
      enhancer: instrument() as never,
    })
    const { store, agent } = harness
    const lifted = (store as unknown as { liftedStore: Store<LiftedState<unknown, UnknownAction, null>> }).liftedStore
    const start = (sessionId: string) =>
      store.dispatch(agent.actions.startRun({ sessionId, provider: 'scripted', input: null }))
    await start('s1')
    return { ...harness, lifted, start }
  }

  it('is not closed while a past is shown', async () => {
    const travel = await createTravelled()
    travel.lifted.dispatch(ActionCreators.jumpToState(1) as never)
    await expect(close(travel).unwrap()).rejects.toMatchObject({ code: 'time_travel' })
  })

  it('does not come back with an imported history', async () => {
    const travel = await createTravelled()
    const early = travel.lifted.getState()
    await travel.start('s2')
    await close(travel).unwrap()
    travel.lifted.dispatch(ActionCreators.importState(early as never) as never)
    expect(travel.state().runs).not.toEqual({})
    await travel.start('s2').unwrap()
    expect(Object.keys(shownIn(travel).sessions)).toEqual(['s2'])
  })

  it('leaves a runtime that works where the store forgot all, its number too', async () => {
    const travel = await createTravelled()
    await close(travel).unwrap()
    travel.lifted.dispatch(ActionCreators.reset() as never)
    await travel.start('s2').unwrap()
    expect(Object.keys(shownIn(travel).sessions)).toEqual(['s2'])
  })
})
