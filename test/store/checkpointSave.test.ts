import type { AgentCheckpoint, AgentCheckpointStorage } from 'redux-agent'
import { describe, expect, it, vi } from 'vitest'
import { createStorage, encoded, log, openPage, replayed } from './createCheckpointPage.ts'
import { createFakeRunServer } from './createFakeRunServer.ts'
import { endOfTask, expectSilentConsole } from './createHarness.ts'
import { createHangingFetch, createPage } from './createPage.ts'
import { createResumableRun } from './createResumableRun.ts'
import { createRun, createShortRun } from './createRunEvents.ts'
import { noticeUncaught } from './noticeUncaught.ts'

const quotaError = () => new DOMException('Full.', 'QuotaExceededError')

describe('saving', () => {
  expectSilentConsole()
  const { unhandled } = noticeUncaught()

  it('reports a save that fails, and nothing else, where the storage throws when it is told to flush', async () => {
    const storage: AgentCheckpointStorage = {
      load: async () => undefined,
      save: () => Promise.reject(quotaError()),
      flush() {
        throw new Error('Flush.')
      },
      remove: async () => undefined,
    }
    const page = createPage({ storage, fetch: createFakeRunServer(encoded).fetch })
    await page.open().unwrap()
    void page.start()
    await page.finish()
    page.hide()
    await page.rest()
    expect(page.state()).toEqual(replayed)
    expect(page.checkpointError()).toMatchObject({ code: 'quota_exceeded' })
    expect(unhandled).not.toHaveBeenCalled()
  })

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

  it.each<[string, (page: ReturnType<typeof createPage>) => unknown]>([
    ['when the page is hidden', (page) => page.hide()],
    ['when the runtime is destroyed', (page) => page.store.dispatch(page.agent.actions.destroy()).unwrap()],
  ])('makes up for a last save that failed, as nothing else changes any more: %s', async (_when, leave) => {
    const storage = createStorage()
    const page = createPage({ storage, fetch: createFakeRunServer(encoded).fetch })
    await page.open().unwrap()
    storage.saveFault = new DOMException('The transaction was aborted.', 'AbortError')
    void page.start()
    await page.finish()
    expect(page.checkpointError()).toMatchObject({ code: 'save_failed' })
    storage.saveFault = undefined
    await leave(page)
    await page.rest()
    const next = createPage({ storage, fetch: createFakeRunServer(encoded).fetch, ids: ['r2'] })
    await next.open().unwrap()
    expect(next.state()).toEqual(replayed)
  })

  it('makes up for nothing once the session is removed', async () => {
    const storage = createStorage()
    const { page } = await openPage({ storage, events: 3 })
    storage.saveFault = quotaError()
    page.fireTimers(1000)
    await page.rest()
    storage.saveFault = undefined
    await page.store.dispatch(page.agent.actions.removeSession({ sessionId: 's1' })).unwrap()
    page.hide()
    await page.rest()
    expect([...storage.texts]).toEqual([])
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
