import {
  AgentTransportError,
  createMemoryAgentCheckpointStorage,
  replayAgentEvents,
  type AgentCheckpointStorage,
} from 'redux-agent'
import { createGate, createScriptedProvider } from 'redux-agent/testing'
import { describe, expect, it, vi } from 'vitest'
import { createStorage, encoded, openPage, reopen, replayed } from './createCheckpointPage.ts'
import { createFakeRunServer, encodeLog } from './createFakeRunServer.ts'
import { createForeignStorage } from './createForeignStorage.ts'
import { createHarness, endOfTask, expectSilentConsole } from './createHarness.ts'
import { createHangingFetch, createPage } from './createPage.ts'
import { createRecordedRun } from './createRecordedRun.ts'
import { createResumableRun } from './createResumableRun.ts'
import { createShortRun } from './createRunEvents.ts'
import { noticeUncaught } from './noticeUncaught.ts'

const failure = (): never => {
  throw new Error('No.')
}
const never = () => new Promise<never>(() => undefined)

describe('a storage of the app’s own that breaks the contract', () => {
  expectSilentConsole()
  const { uncaught, unhandled } = noticeUncaught()

  it.each<[string, Partial<AgentCheckpointStorage>]>([
    ['throws in all it does', { load: failure, save: failure, remove: failure, flush: failure, forget: failure }],
    ['throws when it saves', { save: failure, flush: failure }],
    ['rejects with nothing', { save: () => Promise.reject(undefined), flush: () => Promise.reject(undefined) }],
    ['gives no promises', { save: () => undefined as never, flush: () => 5 as never }],
    ['never answers a save', { save: never, flush: never }],
    ['never answers', { load: never, save: never, remove: never }],
  ])('ends no run: it %s', async (_what, broken) => {
    const storage = { ...createMemoryAgentCheckpointStorage(), ...broken }
    const page = createPage({ storage, fetch: createFakeRunServer(encoded).fetch })
    const opened = page.open().unwrap().catch(() => undefined)
    const task = page.start()
    await page.finish()
    await opened
    await task.unwrap()
    page.hide()
    await page.rest()
    expect(page.state()).toEqual(replayed)
    expect(uncaught).not.toHaveBeenCalled()
    expect(unhandled).not.toHaveBeenCalled()
  })

  it.each<[string, unknown]>([
    ['a number', 5],
    ['nothing at all', ''],
    ['false', false],
    ['bytes', Buffer.from('{}')],
    ['a list', []],
    ['a function', failure],
    ['an object that throws', new Proxy({}, { get: (_, name) => (name === 'then' ? undefined : failure()) })],
  ])('applies nothing that is no checkpoint, and writes nothing over it: %s', async (_what, stored) => {
    const save = vi.fn(() => Promise.resolve())
    const storage = { ...createMemoryAgentCheckpointStorage(), load: () => stored as never, save }
    const page = createPage({ storage, fetch: createFakeRunServer(encoded).fetch })
    await expect(page.open().unwrap()).rejects.toMatchObject({ code: 'invalid_checkpoint' })
    expect(page.session()).toBe('failed')
    void page.start()
    await page.finish()
    expect(page.state()).toEqual(replayed)
    expect(save).not.toHaveBeenCalled()
    await page.store.dispatch(page.agent.actions.removeSession({ sessionId: 's1' })).unwrap()
    expect(page.session()).toBe('idle')
  })

  it('applies nothing of a newer version', async () => {
    const kept = createStorage()
    const { page: first } = await openPage({ storage: kept, events: 20 })
    first.hide()
    const load = () => Promise.resolve({ ...kept.saved.at(-1)!, schemaVersion: 2 as never })
    const storage = { ...createMemoryAgentCheckpointStorage(), load }
    const page = createPage({ storage, fetch: createFakeRunServer(encoded).fetch })
    await expect(page.open().unwrap()).rejects.toMatchObject({ code: 'unsupported_version' })
    expect(page.state().runs).toEqual({})
  })

  it('goes on with what says nothing of connections, by the provider that the session is opened with', async () => {
    const storage = createStorage()
    const { page: first } = await openPage({ storage, events: 20 })
    first.hide()
    const { connectionByRun: _, ...checkpoint } = storage.saved.at(-1)!
    const server = createFakeRunServer(encoded)
    const load = () => Promise.resolve(checkpoint)
    const page = createPage({ storage: { ...storage, load }, fetch: server.fetch })
    const { actions } = page.agent
    await page.store.dispatch(actions.openSession({ sessionId: 's1', provider: 'run-server' })).unwrap()
    await page.finish()
    expect(server.requests.map(({ kind }) => kind)).toEqual(['resume'])
    expect(page.state()).toEqual(replayed)
  })

  it('puts what comes late, and holds less than memory, beside nothing: memory has it all', async () => {
    const storage = createStorage()
    const { page: first } = await openPage({ storage, events: 20 })
    first.hide()
    const older = storage.saved.at(-1)!
    const late = createForeignStorage({ holds: (kind) => kind === 'load' })
    late.texts.set('s1', JSON.stringify(older))
    const logs = [encoded, encodeLog(createRecordedRun({ runId: 'r2', steps: 1 }))]
    const servers = logs.map((one) => createFakeRunServer(one))
    let asked = 0
    const fetch: typeof globalThis.fetch = (...input) => servers[asked++]!.fetch(...input)
    const page = createPage({ storage: late.storage, fetch, ids: ['r1', 'r2'] })
    const opened = page.open()
    page.fireTimers(5000)
    await expect(opened.unwrap()).rejects.toMatchObject({ code: 'load_failed' })
    for (const message of ['One', 'Two']) {
      void page.start(message)
      await page.finish()
    }
    const before = page.state()
    late.open('load')[0]!.end()
    await page.rest()
    expect(page.state()).toEqual(before)
    expect(asked).toBe(2)
    page.fireTimers(1000)
    await page.rest()
    expect(Object.keys(JSON.parse(late.texts.get('s1')!).state.runs)).toEqual(['r1', 'r2'])
  })

  it('has nothing to do with a run of a session that is not kept', async () => {
    const storage = createStorage()
    const page = createPage({ storage, fetch: createFakeRunServer(encoded).fetch })
    await page.open('s9').unwrap()
    void page.start()
    await page.finish()
    expect(page.state()).toEqual(replayed)
    expect(storage.saved).toEqual([])
  })

  it('writes nothing once more where a slow save has spoken for all that came meanwhile', async () => {
    let isHeld = false
    const { storage, open, asked } = createForeignStorage({ holds: (kind) => isHeld && kind === 'save' })
    const gates = [createGate(), createGate(), createGate()]
    const events = createShortRun('r1')
    const run = createResumableRun({
      steps: [
        { events: events.slice(0, 2) },
        { gate: gates[0]! },
        { events: events.slice(2, 3) },
        { gate: gates[1]! },
        { events: events.slice(3, 4) },
        { gate: gates[2]! },
        { events: events.slice(4) },
      ],
      harness: { ids: ['r1'], checkpointStorage: storage },
    })
    const { store, agent } = run
    const pass = async (index?: number) => {
      if (index !== undefined) gates[index]!.open()
      await run.rest()
      run.fireFrame()
      await run.rest()
    }
    await store.dispatch(agent.actions.openSession({ sessionId: 's1' })).unwrap()
    void run.start()
    await pass()
    isHeld = true
    run.fireTimers(1000)
    await pass(0)
    run.fireTimers(1000)
    await pass(1)
    const saves = () => asked.filter((kind) => kind === 'save').length
    const before = saves()
    open('save')[0]!.end()
    await run.rest()
    expect(saves()).toBe(before + 1)
    open('save')[0]!.end()
    await run.rest()
    expect(run.fireTimers(1000)).toBe(1)
    await run.rest()
    expect(saves()).toBe(before + 1)
    gates[2]!.open()
    await run.rest()
  })

  it.each<[string, unknown]>([
    ['null', null],
    ['a promise of nothing', Promise.resolve(undefined)],
  ])('starts an empty session where there is %s', async (_what, nothing) => {
    const storage = { ...createMemoryAgentCheckpointStorage(), load: () => nothing as never }
    const page = createPage({ storage, fetch: createFakeRunServer(encoded).fetch })
    await page.open().unwrap()
    expect(page.checkpointError()).toBeUndefined()
  })

  it('of two sessions, keeps each as it is, and says of the one alone that it cannot be kept', async () => {
    const texts = createForeignStorage({ holds: () => false })
    const save: AgentCheckpointStorage['save'] = (checkpoint) =>
      checkpoint.sessionId === 's2' ? failure() : texts.storage.save(checkpoint)
    const both = ['s1', 's2']
    const providers = both.map((sessionId, index) =>
      createScriptedProvider({
        id: sessionId,
        steps: createShortRun(`r${index + 1}`).map((event) => ({ events: [{ ...event, sessionId }] })),
      }),
    )
    const run = createHarness({ providers, ids: ['r1', 'r2'], checkpointStorage: { ...texts.storage, save } })
    const { store, agent } = run
    await Promise.all(both.map((sessionId) => store.dispatch(agent.actions.openSession({ sessionId })).unwrap()))
    const tasks = both.map((sessionId) =>
      store.dispatch(agent.actions.startRun({ sessionId, provider: sessionId, input: sessionId })),
    )
    await Promise.all(tasks.map((task) => task.unwrap()))
    run.hide()
    await endOfTask()
    const errorOf = (sessionId: string) => agent.selectors.selectCheckpointError(store.getState(), sessionId)
    expect([errorOf('s1'), errorOf('s2')?.code]).toEqual([undefined, 'save_failed'])
    expect([...texts.texts.keys()]).toEqual(['s1'])
    expect(texts.runsOf('s1')).toEqual(['r1'])
    expect(Object.keys(run.state('s2').runs)).toEqual(['r2'])
    await store.dispatch(agent.actions.removeSession({ sessionId: 's2' })).unwrap()
    expect(Object.keys(run.state('s1').runs)).toEqual(['r1'])
  })
})

describe('an input that is not plain data', () => {
  expectSilentConsole()
  const { uncaught, unhandled } = noticeUncaught()

  const changing = () => {
    let reads = 0
    return {
      get text() {
        reads += 1
        return reads % 2 === 1 ? 'text' : failure()
      },
    }
  }
  it.each<[string, () => unknown]>([
    ['a getter that throws', () => ({ get text() { return failure() } })],
    ['a getter that throws deep within', () => ({ list: [{ get text() { return failure() } }] })],
    ['a getter that throws at times', changing],
    ['a proxy that throws', () => new Proxy({}, { get: failure, ownKeys: failure, getPrototypeOf: failure })],
    ['a revoked proxy', () => {
      const { proxy, revoke } = Proxy.revocable({}, {})
      revoke()
      return proxy
    }],
    ['what makes its JSON itself, and throws', () => ({ toJSON: failure })],
    ['a cycle', () => {
      const input: unknown[] = []
      input.push(input)
      return input
    }],
  ])('ends no run, and is reported: %s', async (_what, make) => {
    const storage = createStorage()
    const onError = vi.fn()
    const run = createResumableRun({
      events: createShortRun('r1'),
      harness: { ids: ['r1'], checkpointStorage: storage, onError },
    })
    const { store, agent, provider } = run
    await store.dispatch(agent.actions.openSession({ sessionId: 's1' })).unwrap()
    const task = store.dispatch(agent.actions.startRun({ sessionId: 's1', provider, input: make() }))
    run.hide()
    await run.rest()
    await task.unwrap()
    await run.rest()
    expect(run.state()).toEqual(replayAgentEvents(createShortRun('r1')))
    expect(onError).toHaveBeenCalled()
    expect(storage.saved.at(-1)!.state.runs.r1!.status).toBe('completed')
    expect(agent.selectors.selectCheckpointError(store.getState(), 's1')).toBeUndefined()
    expect(uncaught).not.toHaveBeenCalled()
    expect(unhandled).not.toHaveBeenCalled()
  })
})

describe('a kept run that waits for its next attempt', () => {
  expectSilentConsole()
  const cut = (index: number) => {
    if (index === 0) return undefined
    throw new AgentTransportError('network', 'Cut.', { retryable: true })
  }

  /** A page whose wire is lost for good, so that every attempt is waited for. */
  async function openWaiting(storage: AgentCheckpointStorage) {
    const server = createFakeRunServer(encoded)
    let requests = 0
    const hanging = createHangingFetch(server.fetch, () => encoded.offsetOf(0, 6))
    const fetch: typeof globalThis.fetch = async (...input) => {
      requests += 1
      cut(requests - 1)
      const response = await hanging(...input)
      const bytes = new Uint8Array(await new Response(response.body!.pipeThrough(firstChunk())).arrayBuffer())
      return new Response(bytes, { headers: response.headers })
    }
    const page = createPage({ storage, fetch })
    await page.open().unwrap()
    void page.start()
    await page.rest(8)
    return { page, requests: () => requests }
  }

  it('is let go of by an abort, which a reload keeps', async () => {
    const storage = createStorage()
    const { page, requests } = await openWaiting(storage)
    expect(page.connection()).toMatchObject({ state: 'reconnecting', attempt: 1 })
    page.store.dispatch(page.agent.actions.abortRun({ sessionId: 's1' }))
    await page.rest()
    const before = requests()
    page.fireAllTimers()
    page.wake()
    await page.rest()
    expect(requests()).toBe(before)
    expect(page.connection()).toMatchObject({ state: 'idle', detached: true, canResume: true })
    const server = createFakeRunServer(encoded)
    const next = reopen(storage, server.fetch)
    await next.open().unwrap()
    await next.rest()
    expect(server.requests).toEqual([])
    expect(next.connection()).toMatchObject({ state: 'idle', detached: true, canResume: true })
    await resumeTwice(next, server)
  })

  it('is removed with its session, and nothing of it goes again', async () => {
    const storage = createStorage()
    const { page, requests } = await openWaiting(storage)
    const before = requests()
    await page.store.dispatch(page.agent.actions.removeSession({ sessionId: 's1' })).unwrap()
    page.fireAllTimers()
    page.wake()
    await page.rest()
    page.hide()
    expect(requests()).toBe(before)
    expect(page.state().runs).toEqual({})
    expect(storage.texts.size).toBe(0)
  })

  it('is resumed once, however often that is asked for at once', async () => {
    const storage = createStorage()
    const { page } = await openPage({ storage, events: 20 })
    page.store.dispatch(page.agent.actions.abortRun({ sessionId: 's1' }))
    await page.rest()
    const server = createFakeRunServer(encoded)
    const next = reopen(storage, server.fetch)
    await next.open().unwrap()
    await resumeTwice(next, server)
    expect(next.connection()).toMatchObject({ state: 'idle', detached: false })
  })
})

async function resumeTwice(page: ReturnType<typeof createPage>, server: ReturnType<typeof createFakeRunServer>) {
  const resume = () => page.store.dispatch(page.agent.actions.resumeRun({ runId: 'r1', sessionId: 's1' }))
  const tasks = [resume(), resume()]
  await page.finish()
  expect(await Promise.all(tasks.map((task) => task.unwrap()))).toEqual([{ runId: 'r1' }, { runId: 'r1' }])
  expect(server.requests.map(({ kind }) => kind)).toEqual(['resume'])
  expect(page.state()).toEqual(replayed)
}

/** Passes the first chunk of a body on, and ends it there. */
function firstChunk(): TransformStream<Uint8Array, Uint8Array> {
  return new TransformStream({
    transform(chunk, controller) {
      controller.enqueue(chunk)
      controller.terminate()
    },
  })
}
