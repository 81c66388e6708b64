import {
  createMemoryAgentCheckpointStorage,
  createWebStorageAgentCheckpointStorage,
  replayAgentEvents,
  type AgentCheckpointStorage,
} from 'redux-agent'
import { describe, expect, it, vi } from 'vitest'
import { createStorage, encoded, log, openPage, reopen, replayed } from './createCheckpointPage.ts'
import { createFakeRunServer, encodeLog } from './createFakeRunServer.ts'
import { createHarness, endOfTask, expectSilentConsole } from './createHarness.ts'
import { createHangingFetch, createPage } from './createPage.ts'
import { createRecordedRun } from './createRecordedRun.ts'
import { createResumableRun } from './createResumableRun.ts'
import { createParkedRun, createShortRun } from './createRunEvents.ts'

describe('restoring', () => {
  expectSilentConsole()

  it('says so, queues requests, refuses actions, and lets the request go afterwards', async () => {
    const storage = createStorage()
    const first = await openPage({ storage, events: log.length })
    const server = createFakeRunServer(encodeLog(createRecordedRun({ runId: 'r2', steps: 1 })))
    storage.gate = first.page.rest()
    const page = reopen(storage, server.fetch)
    const opened = page.open()
    expect(page.session()).toBe('restoring')
    const task = page.start('More')
    const refused = page.store.dispatch(page.agent.actions.cancelRun({ runId: 'r1', sessionId: 's1' }))
    await expect(refused.unwrap()).rejects.toMatchObject({ code: 'restoring' })
    expect(page.state().runs).toEqual({})
    await opened.unwrap()
    await page.finish()
    expect(await task.unwrap()).toEqual({ runId: 'r2' })
    expect(Object.keys(page.state().runs)).toEqual(['r1', 'r2'])
    expect(page.state().runs.r2!.status).toBe('completed')
    expect(server.requests).toHaveLength(1)
  })

  it('lets a queued request be given up', async () => {
    const storage = createStorage()
    storage.gate = endOfTask()
    const server = createFakeRunServer(encoded)
    const page = createPage({ storage, fetch: server.fetch })
    const opened = page.open()
    const task = page.start()
    page.store.dispatch(page.agent.actions.abortRun({ sessionId: 's1' }))
    await opened.unwrap()
    await task.unwrap()
    await page.rest()
    expect(server.requests).toEqual([])
  })

  it('goes on without a storage that does not answer, writes nothing over it, and takes a late answer in', async () => {
    const storage = createStorage()
    const { server: firstServer } = await openPage({ storage, events: log.length })
    expect(firstServer.requests).toHaveLength(1)
    let open!: () => void
    storage.gate = new Promise<void>((resolve) => (open = resolve))
    const second = createRecordedRun({ runId: 'r2', steps: 1 })
    const server = createFakeRunServer(encodeLog(second))
    const page = reopen(storage, server.fetch)
    const opened = page.open()
    const task = page.start()
    await page.rest()
    expect(server.requests).toEqual([])
    const before = new Map(storage.texts)
    page.fireTimers(5000)
    await expect(opened.unwrap()).rejects.toMatchObject({ code: 'load_failed' })
    expect(page.checkpointError()).toMatchObject({ code: 'load_failed' })
    await page.finish()
    await task.unwrap()
    expect(page.state()).toEqual(replayAgentEvents(second))
    page.hide()
    expect(storage.texts).toEqual(before)

    open()
    await page.rest()
    page.fireTimers(1000)
    await page.rest()
    expect(Object.keys(page.state().runs)).toEqual(['r1', 'r2'])
    expect(page.checkpointError()).toBeUndefined()
    const later = reopen(createWebStorageOf(storage.texts), server.fetch)
    await later.open().unwrap()
    expect(later.state()).toEqual(page.state())
  })

  it('fails on a storage that fails, writes nothing, and reads once more when it is opened again', async () => {
    const storage = createStorage()
    const { fetch } = await openPage({ storage, events: 3 })
    storage.gate = Promise.reject(new Error('TOP-SECRET'))
    const page = reopen(storage, fetch)
    await expect(page.open().unwrap()).rejects.toMatchObject({ code: 'load_failed' })
    expect(page.session()).toBe('failed')
    expect(JSON.stringify(page.store.getState())).not.toContain('TOP-SECRET')
    const before = storage.saved.length
    page.hide()
    expect(storage.saved).toHaveLength(before)
    storage.gate = undefined
    await page.open().unwrap()
    await page.finish()
    expect(page.state().runs.r1!.status).toBe('completed')
    expect(page.checkpointError()).toBeUndefined()
  })

  it.each([
    ['damaged', '{"schemaVersion":1,', 'invalid_checkpoint'],
    ['newer', (text: string) => text.replace('"schemaVersion":1', '"schemaVersion":2'), 'unsupported_version'],
    ['foreign', (text: string) => text.replaceAll('"sessionId":"s1"', '"sessionId":"s9"'), 'foreign_session'],
  ] as const)('applies nothing of a %s checkpoint, keeps it aside, and starts clean', async (_name, spoil, code) => {
    const storage = createStorage()
    const { page: first, fetch, server } = await openPage({ storage, events: 3 })
    first.hide()
    const [key, text] = [...storage.texts][0]!
    const spoilt = typeof spoil === 'string' ? spoil : spoil(text)
    storage.texts.set(key, spoilt)
    const page = reopen(storage, fetch)
    await expect(page.open().unwrap()).rejects.toMatchObject({ code })
    expect(page.session()).toBe('failed')
    expect(page.checkpointError()).toMatchObject({ code })
    expect(page.state().runs).toEqual({})
    expect([...storage.texts.values()]).toContain(spoilt)
    expect(server.requests).toHaveLength(1)
    await page.store.dispatch(page.agent.actions.removeSession({ sessionId: 's1' })).unwrap()
    expect(page.session()).toBe('idle')
    expect(page.checkpointError()).toBeUndefined()
  })

  it("applies nothing that another's storage lets through, and writes over it only once it is removed", async () => {
    const save = vi.fn(async () => undefined)
    const remove = vi.fn(async () => undefined)
    const storage = { load: async () => ({ evil: true }) as never, save, remove }
    const server = createFakeRunServer(encoded)
    const page = createPage({ storage, fetch: server.fetch })
    await expect(page.open().unwrap()).rejects.toMatchObject({ code: 'invalid_checkpoint' })
    void page.start()
    await page.finish()
    expect(page.state()).toEqual(replayed)
    expect(save).not.toHaveBeenCalled()
    await page.store.dispatch(page.agent.actions.removeSession({ sessionId: 's1' })).unwrap()
    expect(page.state().runs).toEqual({})
    expect(remove).toHaveBeenCalledWith('s1')
  })

  it('drops what is older than memory', async () => {
    const storage = createStorage()
    const { fetch } = await openPage({ storage, events: 20 })
    let open!: () => void
    storage.gate = new Promise<void>((resolve) => (open = resolve))
    const page = createPage({ storage, fetch })
    void page.start()
    await page.rest(8)
    const known = page.state()
    expect(known).toEqual(replayed)
    const opened = page.open()
    open()
    await opened.unwrap()
    expect(page.state()).toBe(known)
    expect(page.session()).toBe('idle')
  })

  it('leaves a run alone that was let go of, and offers to continue it', async () => {
    const storage = createStorage()
    const { page: first, fetch, server } = await openPage({ storage, events: 20 })
    first.store.dispatch(first.agent.actions.abortRun({ sessionId: 's1' }))
    await first.rest()
    const page = reopen(storage, fetch)
    await page.open().unwrap()
    await page.rest()
    expect(page.connection()).toMatchObject({ state: 'idle', detached: true, canResume: true })
    expect(server.requests).toHaveLength(1)
    const task = page.store.dispatch(page.agent.actions.resumeRun({ runId: 'r1' }))
    await page.finish()
    await task.unwrap()
    expect(page.state()).toEqual(replayed)
  })

  it('resumes the latest run alone', async () => {
    const storage = createStorage()
    const runIds = ['r1', 'r2']
    const older = createResumableRun({
      steps: () => [{ events: createShortRun(runIds.shift()!).slice(0, 1) }],
      harness: { checkpointStorage: storage, ids: [...runIds], reconnect: false },
    })
    const { store, agent } = older
    await store.dispatch(agent.actions.openSession({ sessionId: 's1' })).unwrap()
    await older.start()
    await older.rest()
    expect(agent.selectors.selectRunConnection(store.getState(), 'r1')?.state).toBe('unrecoverable')
    void store.dispatch(agent.actions.startRun({ sessionId: 's1', provider: 'scripted', input: 'again' }))
    older.hide()
    await older.rest()
    const next = createResumableRun({ events: createShortRun('r2'), harness: { checkpointStorage: storage, ids: [] } })
    await next.store.dispatch(next.agent.actions.openSession({ sessionId: 's1' })).unwrap()
    await next.rest()
    expect(next.connection('r1')).toMatchObject({ state: 'unrecoverable', canResume: true })
    expect(next.state().runs.r2!.status).toBe('completed')
    expect(next.selectors.selectLatestRunConnection(next.store.getState(), 's1')?.runId).toBe('r2')
  })

  it('does not send a failed request again', async () => {
    const storage = createStorage()
    const server = createFakeRunServer(encoded, () => ({ refusal: { status: 409 } }))
    const first = createPage({ storage, fetch: server.fetch })
    await first.open().unwrap()
    await first.start()
    expect(first.connection()?.state).toBe('failed')
    await first.rest()
    const page = reopen(storage, server.fetch)
    await page.open().unwrap()
    await page.rest()
    expect(server.requests).toHaveLength(1)
    expect(page.session()).toBe('idle')
  })

  it.each(['increasing', 'dense'] as const)('is lost where the provider cannot resume, and idle where the run waits for a person: %s', async (sequence) => {
    for (const [events, state] of [
      [createParkedRun('r1').slice(0, 1), 'unrecoverable'],
      [createParkedRun('r1'), 'idle'],
    ] as const) {
      const storage = createStorage()
      const capabilities = { resumable: false, sequence }
      const first = createResumableRun({ events, capabilities, harness: { ids: ['r1'], checkpointStorage: storage } })
      await first.store.dispatch(first.agent.actions.openSession({ sessionId: 's1' })).unwrap()
      void first.start()
      await first.rest()
      first.hide()
      await first.rest()
      const next = createResumableRun({ events, capabilities, harness: { checkpointStorage: storage } })
      await next.store.dispatch(next.agent.actions.openSession({ sessionId: 's1' })).unwrap()
      await next.rest()
      expect(next.connection('r1')?.state).toBe(state)
      expect(next.opened()).toEqual([])
    }
  })

  it('brings pending commands back as interrupted, sends none by itself, and keeps the key of a retry', async () => {
    const storage = createStorage()
    const at = log.findIndex(({ type }) => type === 'approval.requested') + 1
    const server = createFakeRunServer(encoded)
    const bodies: { commandId: string; idempotencyKey: string }[] = []
    // Nothing comes after the question, neither on the first wire nor on one that resumes it.
    const stream = createHangingFetch(server.fetch, (index) => (index === 0 ? encoded.offsetOf(0, at + 1) : 0))
    const fetch: typeof globalThis.fetch = (url, init) => {
      if (!String(url).endsWith('/commands')) return stream(url, init)
      bodies.push(JSON.parse(init?.body as string) as (typeof bodies)[number])
      return new Promise<Response>(() => undefined)
    }
    const open = async (ids: string[]) => {
      const page = createPage({ storage, fetch, ids })
      await page.open().unwrap()
      return page
    }
    const decide = (page: ReturnType<typeof createPage>, decision: 'approved' | 'rejected' = 'approved') =>
      void page.store.dispatch(page.agent.actions.resolveApproval({ runId: 'r1', approvalId: 'a0', decision }))
    const first = await open(['r1', 'c1'])
    void first.start()
    await first.rest(8)
    decide(first)
    await first.rest()
    expect(bodies).toHaveLength(1)

    for (const visit of [1, 2]) {
      const page = await open([`x${visit}`])
      await page.rest()
      expect(page.commands()).toMatchObject([{ status: 'failed', error: { code: 'interrupted', retryable: true } }])
      expect(bodies).toHaveLength(visit)
      decide(page)
      await page.rest()
      expect(bodies[visit]).toMatchObject({
        commandId: bodies[0]!.commandId,
        idempotencyKey: bodies[0]!.idempotencyKey,
      })
    }
  })

  it('starts a session clean in the middle of a run', async () => {
    const storage = createStorage()
    const { page, fetch } = await openPage({ storage, events: 20 })
    await page.store.dispatch(page.agent.actions.removeSession({ sessionId: 's1' })).unwrap()
    await page.rest()
    expect(page.state().runs).toEqual({})
    expect(page.session()).toBe('idle')
    expect(page.connection()).toBeUndefined()
    page.hide()
    const next = reopen(storage, fetch)
    await next.open().unwrap()
    expect(next.state().runs).toEqual({})
  })

  it('is told where a removal fails, and nothing has changed', async () => {
    const storage = { ...createMemoryAgentCheckpointStorage(), remove: () => Promise.reject(new Error('No.')) }
    const { page } = await openPage({ storage, events: 20 })
    const known = page.state()
    const removal = page.store.dispatch(page.agent.actions.removeSession({ sessionId: 's1' }))
    await expect(removal.unwrap()).rejects.toMatchObject({ code: 'save_failed' })
    expect(page.state()).toBe(known)
  })

  it('goes on saving after a removal that failed, also where it was asked for twice', async () => {
    const storage = createStorage()
    const { page, fetch } = await openPage({
      storage: { ...storage, remove: () => Promise.reject(new Error('No.')) },
      events: 20,
    })
    const remove = () => page.store.dispatch(page.agent.actions.removeSession({ sessionId: 's1' })).unwrap()
    const removals = await Promise.allSettled([remove(), remove()])
    expect(removals.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    page.store.dispatch(page.agent.actions.abortRun({ sessionId: 's1' }))
    await page.rest()
    expect(page.checkpointError()).toBeUndefined()
    const next = reopen(storage, fetch)
    await next.open().unwrap()
    expect(next.connection()).toMatchObject({ state: 'idle', detached: true })
    expect(next.state()).toEqual(page.state())
  })

  it.each(['before', 'after'] as const)(
    'restores, and lets what waits for it go, where a removal fails %s the storage answers',
    async (moment) => {
      const storage = createStorage()
      await openPage({ storage, events: log.length })
      let open!: () => void
      storage.gate = new Promise<void>((resolve) => (open = resolve))
      const remove = async () => {
        if (moment === 'after') {
          open()
          await endOfTask()
        }
        throw new Error('No.')
      }
      const server = createFakeRunServer(encodeLog(createRecordedRun({ runId: 'r2', steps: 1 })))
      const page = reopen({ ...storage, load: storage.load, remove }, server.fetch)
      const opened = page.open()
      const task = page.start('More')
      const removal = page.store.dispatch(page.agent.actions.removeSession({ sessionId: 's1' }))
      await expect(removal.unwrap()).rejects.toMatchObject({ code: 'save_failed' })
      open()
      await opened.unwrap()
      await page.finish()
      await task.unwrap()
      expect(Object.values(page.state().runs).map(({ status }) => status)).toEqual(['completed', 'completed'])
      expect(server.requests).toHaveLength(1)
      expect(page.delays()).toEqual([])
    },
  )
})

describe('opening', () => {
  it('does nothing without a storage', async () => {
    const { agent, store, passed } = createHarness()
    await store.dispatch(agent.actions.openSession({ sessionId: 's1' })).unwrap()
    expect(passed.filter(agent.events.checkpointChanged.match)).toEqual([])
  })

  it('reads once, however often it is asked, and warns of another storage', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
    const storage = createStorage()
    // A slow machine has RTK's checks say something as well.
    const warned = () => warn.mock.calls.filter(([text]) => String(text).includes('another checkpointStorage'))
    const load = vi.spyOn(storage, 'load')
    const { agent, store } = createHarness({ checkpointStorage: storage })
    const open = (checkpointStorage?: AgentCheckpointStorage) =>
      store.dispatch(agent.actions.openSession({ sessionId: 's1', checkpointStorage })).unwrap()
    await Promise.all([open(), open(), open(storage)])
    await open()
    expect(load).toHaveBeenCalledTimes(1)
    expect(warned()).toEqual([])
    await open(createMemoryAgentCheckpointStorage())
    expect(load).toHaveBeenCalledTimes(1)
    expect(warned()).toHaveLength(1)
  })
})

function createWebStorageOf(texts: Map<string, string>): AgentCheckpointStorage {
  return createWebStorageAgentCheckpointStorage({
    getItem: (key) => texts.get(key) ?? null,
    setItem: (key, text) => void texts.set(key, text),
    removeItem: (key) => void texts.delete(key),
  })
}
