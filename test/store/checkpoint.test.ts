import {
  createMemoryAgentCheckpointStorage,
  createWebStorageAgentCheckpointStorage,
  replayAgentEvents,
  type AgentCheckpoint,
  type AgentCheckpointStorage,
  type AgentEvent,
} from 'redux-agent'
import { describe, expect, it, vi } from 'vitest'
import { createFakeRunServer, encodeLog } from './createFakeRunServer.ts'
import { createHarness, endOfTask, expectSilentConsole } from './createHarness.ts'
import { createHangingFetch, createPage } from './createPage.ts'
import { createResumableRun } from './createResumableRun.ts'
import { createRecordedRun } from './createRecordedRun.ts'
import { createRun, createShortRun } from './createRunEvents.ts'

const log = createRecordedRun({ steps: 2 })
const encoded = encodeLog(log)
const replayed = replayAgentEvents(log)
const quotaError = () => new DOMException('Full.', 'QuotaExceededError')

/** A storage in memory that counts, hangs and fails as it is told. */
function createStorage() {
  const texts = new Map<string, string>()
  const inner = createWebStorageAgentCheckpointStorage({
    getItem: (key) => texts.get(key) ?? null,
    setItem(key, text) {
      if (storage.saveFault) throw storage.saveFault
      texts.set(key, text)
    },
    removeItem: (key) => void texts.delete(key),
  })
  const saved: AgentCheckpoint[] = []
  const storage = {
    ...inner,
    texts,
    saved,
    saveFault: undefined as unknown,
    gate: undefined as Promise<unknown> | undefined,
    async load(sessionId: string) {
      await storage.gate
      return inner.load(sessionId)
    },
    save(checkpoint: AgentCheckpoint) {
      saved.push(checkpoint)
      return inner.save(checkpoint)
    },
  }
  return storage
}

/** A page that has a run of so many events, the last of which is all that its stream brings. */
async function openPage(options: { storage: AgentCheckpointStorage; events: number; ids?: string[] }) {
  const { storage, events, ids } = options
  const server = createFakeRunServer(encoded)
  const fetch = createHangingFetch(server.fetch, (index) => (index === 0 ? encoded.offsetOf(0, events + 1) : undefined))
  const page = createPage({ fetch, storage, ...(ids && { ids }) })
  await page.open().unwrap()
  void page.start()
  await page.rest(8)
  return { page, server, fetch }
}

/** A page after that one. */
const reopen = (storage: AgentCheckpointStorage, fetch: typeof globalThis.fetch, ids = ['r2']) =>
  createPage({ fetch, storage, ids })

const parkedLog = (): AgentEvent[] => {
  const run = createRun('r1')
  return [
    run.create('run.started', {}),
    run.create('approval.requested', { approvalId: 'a1' }),
  ]
}

describe('saving', () => {
  expectSilentConsole()

  it('writes what streams once a second at the most, and trailing', async () => {
    const storage = createStorage()
    const { page } = await openPage({ storage, events: 3 })
    expect(storage.saved.at(-1)!.state.runs).toEqual({})
    const before = storage.saved.length
    expect(page.delays().filter((delay) => delay === 1000)).toHaveLength(1)
    page.fireTimers(1000)
    expect(storage.saved).toHaveLength(before + 1)
    expect(storage.saved.at(-1)).toMatchObject({
      sessionId: 's1',
      state: { lastSequenceByRun: { r1: 3 } },
      inputByRun: { r1: { message: 'Go' } },
      connectionByRun: { r1: { providerId: 'run-server' } },
    })
    expect(storage.saved.at(-1)!.cursorByRun.r1).toContain('3')
    page.fireTimers(1000)
    expect(storage.saved).toHaveLength(before + 1)
  })

  it('keeps a request before it leaves', async () => {
    const storage = createStorage()
    const kept: unknown[] = []
    const server = createFakeRunServer(encoded)
    const page = createPage({
      storage,
      fetch(...input) {
        kept.push(storage.saved.at(-1)?.inputByRun)
        return server.fetch(...input)
      },
    })
    await page.open().unwrap()
    void page.start()
    await page.finish()
    expect(kept).toEqual([{ r1: { message: 'Go' } }])
  })

  it('keeps no request waiting whose storage hangs', async () => {
    const storage = { ...createStorage(), save: () => new Promise<void>(() => undefined) }
    const server = createFakeRunServer(encoded)
    const page = createPage({ storage, fetch: server.fetch })
    await page.open().unwrap()
    const task = page.start()
    await page.rest()
    expect(server.requests).toEqual([])
    page.fireTimers(1000)
    await page.finish()
    await task.unwrap()
    expect(page.state()).toEqual(replayed)
  })

  it('sends nothing for a run that was aborted while it waited', async () => {
    const storage = { ...createStorage(), save: () => new Promise<void>(() => undefined) }
    const server = createFakeRunServer(encoded)
    const page = createPage({ storage, fetch: server.fetch })
    await page.open().unwrap()
    const task = page.start()
    page.store.dispatch(page.agent.actions.abortRun({ sessionId: 's1' }))
    page.fireTimers(1000)
    await task.unwrap()
    expect(server.requests).toEqual([])
    expect(page.connection()).toMatchObject({ state: 'idle', detached: true })
  })

  it('writes at once when an approval is asked for, and when the run ends', async () => {
    const storage = createStorage()
    const at = log.findIndex(({ type }) => type === 'approval.requested') + 1
    await openPage({ storage, events: at })
    expect(Object.keys(storage.saved.at(-1)!.state.approvals)).toHaveLength(1)
    const whole = createStorage()
    await openPage({ storage: whole, events: log.length })
    expect(whole.saved.at(-1)).toMatchObject({ inputByRun: {}, cursorByRun: {}, state: replayed })
  })

  it('writes at once when the page is hidden, with what no frame has shown yet, and nothing where nothing is new', async () => {
    const storage = createStorage()
    const server = createFakeRunServer(encoded)
    const fetch = createHangingFetch(server.fetch, () => encoded.offsetOf(0, 8))
    const page = createPage({ storage, fetch })
    await page.open().unwrap()
    void page.start()
    for (let turn = 0; turn < 6; turn += 1) await endOfTask()
    page.hide()
    expect(storage.saved.at(-1)!.state.lastSequenceByRun).toEqual({ r1: 7 })
    await page.rest()
    const before = storage.saved.length
    page.hide()
    expect(storage.saved).toHaveLength(before)
  })

  it('has one write under way, and merges what comes meanwhile', async () => {
    const writes: (() => void)[] = []
    let most = 0
    const inner = createStorage()
    const storage = {
      ...inner,
      flush: undefined,
      save: (checkpoint: AgentCheckpoint) =>
        new Promise<void>((resolve) => {
          inner.saved.push(checkpoint)
          writes.push(() => {
            writes.pop()
            resolve()
          })
          most = Math.max(most, writes.length)
        }),
    }
    const server = createFakeRunServer(encoded)
    const page = createPage({ storage, fetch: server.fetch })
    await page.open().unwrap()
    void page.start()
    await page.rest()
    page.fireTimers(1000)
    await page.rest(12)
    expect(page.state()).toEqual(replayed)
    expect(inner.saved).toHaveLength(1)
    writes[0]!()
    await page.rest()
    expect(inner.saved).toHaveLength(2)
    expect(inner.saved[1]!.state).toEqual(replayed)
    expect(most).toBe(1)
  })

  it('goes on where the storage is full, says so, and takes it back once there is room', async () => {
    const storage = createStorage()
    storage.saveFault = quotaError()
    const onError = vi.fn()
    const server = createFakeRunServer(encoded)
    const page = createPage({ storage, fetch: server.fetch, ids: ['r1', 'r2'], runtime: { onError } })
    await page.open().unwrap()
    const task = page.start()
    await page.finish()
    await task.unwrap()
    expect(page.state()).toEqual(replayed)
    expect(page.session()).toBe('idle')
    expect(page.checkpointError()).toMatchObject({ code: 'quota_exceeded' })
    expect(onError).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ code: 'quota_exceeded' }),
      { sessionId: 's1' },
    )
    storage.saveFault = undefined
    void page.start()
    await page.rest()
    expect(page.checkpointError()).toBeUndefined()
  })

  it('skips the saves of a run whose input is not JSON, says so, and the run goes on', async () => {
    const storage = createStorage()
    const onError = vi.fn()
    const run = createResumableRun({
      events: createShortRun('r1'),
      harness: { ids: ['r1'], checkpointStorage: storage, onError },
    })
    const { store, agent } = run
    await store.dispatch(agent.actions.openSession({ sessionId: 's1', provider: run.provider })).unwrap()
    const input = { when: new Date(0) }
    const task = store.dispatch(agent.actions.startRun({ sessionId: 's1', provider: run.provider, input }))
    await run.rest()
    expect(storage.saved.filter(({ inputByRun }) => 'r1' in inputByRun)).toEqual([])
    await task.unwrap()
    await run.rest()
    expect(onError).toHaveBeenCalledTimes(1)
    expect(onError.mock.calls[0]![0]).toMatchObject({ code: 'not_serializable' })
    // Once it has ended its input is not kept any more, so that the session is.
    expect(storage.saved.at(-1)!.state.runs.r1!.status).toBe('completed')
    expect(agent.selectors.selectCheckpointError(store.getState(), 's1')).toBeUndefined()
  })

  it('writes nothing of a session that was not opened', async () => {
    const storage = createStorage()
    const server = createFakeRunServer(encoded)
    const page = createPage({ storage, fetch: server.fetch })
    void page.start()
    await page.finish()
    page.hide()
    expect(storage.saved).toEqual([])
  })

  it('stores no header, request, cause or redacted reasoning', async () => {
    const storage = createStorage()
    const run = createRun('r1')
    const secret = 'TOP-SECRET'
    const error = { message: 'No.', retryable: true, cause: { header: secret } }
    const events = [
      run.create('run.started', {}),
      run.create('reasoning.started', { reasoningId: 'x', redacted: true }),
      run.create('reasoning.delta', { reasoningId: 'x', delta: secret }),
      run.create('tool.requested', { toolCallId: 't', name: 'look' }),
      run.create('tool.running', { toolCallId: 't' }),
      run.create('tool.failed', { toolCallId: 't', error }),
      run.create('approval.requested', { approvalId: 'a1' }),
    ]
    const kept: AgentCheckpoint[] = []
    const foreign: AgentCheckpointStorage = {
      load: async () => undefined,
      remove: async () => undefined,
      save: async (checkpoint) => void kept.push(checkpoint),
    }
    for (const checkpointStorage of [storage, foreign]) {
      const started = createResumableRun({ events, harness: { ids: ['r1'], checkpointStorage } })
      await started.store.dispatch(started.agent.actions.openSession({ sessionId: 's1' })).unwrap()
      void started.start()
      await started.rest()
      started.hide()
      await started.rest()
    }
    expect(Object.keys(kept.at(-1)!.state.reasoning)).toHaveLength(1)
    expect(JSON.stringify(kept)).not.toContain(secret)
    expect([...storage.texts.values()].join()).not.toContain(secret)
  })
})

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

  it('is lost where the provider cannot resume, and idle where the run waits for a person', async () => {
    for (const [events, state] of [
      [parkedLog().slice(0, 1), 'unrecoverable'],
      [parkedLog(), 'idle'],
    ] as const) {
      const storage = createStorage()
      const capabilities = { resumable: false, sequence: undefined }
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
