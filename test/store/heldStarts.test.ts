import { describe, expect, it } from 'vitest'
import { createStorage, encoded } from './createCheckpointPage.ts'
import { createFakeRunServer } from './createFakeRunServer.ts'
import { expectSilentConsole } from './createHarness.ts'
import { createPage } from './createPage.ts'

expectSilentConsole()

const start = { sessionId: 's1', runId: 'mine', provider: 'run-server', input: { message: 'Go' } }

describe('a run that is asked for while its session is restored', () => {
  it('is begun once, by the task that is still waited for, where it was given up and asked for again', async () => {
    const storage = createStorage()
    let open!: () => void
    storage.gate = new Promise<void>((resolve) => (open = resolve))
    const server = createFakeRunServer(encoded)
    const page = createPage({ storage, fetch: server.fetch })
    const { startRun, abortRun } = page.agent.actions
    void page.open()
    const first = page.store.dispatch(startRun(start))
    page.store.dispatch(abortRun({ runId: 'mine' }))
    const second = page.store.dispatch(startRun(start))
    let isOver = false
    void second.then(() => (isOver = true))
    expect(await first).toEqual({ data: { runId: 'mine' } })
    expect(server.requests).toEqual([])
    open()
    await page.finish()
    expect(isOver).toBe(true)
    expect(server.requests.map(({ kind }) => kind)).toEqual(['start'])
  })
})
