import { describe, expect, it } from 'vitest'
import { createStorage, encoded, openPage, replayed } from './createCheckpointPage.ts'
import { createFakeRunServer } from './createFakeRunServer.ts'
import { createPage } from './createPage.ts'
import { noticeUncaught } from './noticeUncaught.ts'
import { throwAfter } from './throwAfter.ts'

describe('a part of the app that throws while a session is put in place', () => {
  const { uncaught } = noticeUncaught()

  it.each(['checkpointChanged', 'sessionRestored', 'runRestored'])(
    'keeps it from nothing, and is reported: after %s',
    async (name) => {
      const storage = createStorage()
      const { page: first } = await openPage({ storage, events: 20 })
      first.hide()
      const server = createFakeRunServer(encoded)
      const page = createPage({ storage, fetch: server.fetch, enhancer: throwAfter(name) })
      await page.open().unwrap()
      await page.finish()
      expect(page.state()).toEqual(replayed)
      expect(server.requests.map(({ kind }) => kind)).toEqual(['resume'])
      expect(uncaught.mock.calls[0]![0]).toMatchObject({ message: 'The app fails.' })
    },
  )

  it('leaves a run that it was told of too late to be resumed by hand', async () => {
    const storage = createStorage()
    const { page: first } = await openPage({ storage, events: 20 })
    first.hide()
    const server = createFakeRunServer(encoded)
    const page = createPage({ storage, fetch: server.fetch, enhancer: throwAfter('runResumed', 1) })
    await page.open().unwrap()
    await page.rest()
    expect(server.requests).toEqual([])
    expect(page.connection()).toMatchObject({ state: 'failed', canResume: true })
    expect(uncaught).toHaveBeenCalledTimes(1)
    const task = page.store.dispatch(page.agent.actions.resumeRun({ runId: 'r1' }))
    await page.finish()
    await task.unwrap()
    expect(page.state()).toEqual(replayed)
  })

  it.each<[string, kept: string[]]>([
    ['sessionRestored', ['r1']],
    ['checkpointChanged', ['r1']],
    // Which every wire fails of here.
    ['connectionChanged', []],
  ])('does not keep a session from starting clean, and from being saved again: after %s', async (name, kept) => {
    const storage = createStorage()
    const { fetch } = createFakeRunServer(encoded)
    const page = createPage({ storage, fetch, ids: ['r0', 'r1'], enhancer: throwAfter(name) })
    await page.open().unwrap()
    page.start().unwrap().catch(() => undefined)
    await page.rest(1)
    await page.store.dispatch(page.agent.actions.removeSession({ sessionId: 's1' })).unwrap()
    expect(page.state().runs).toEqual({})
    page.start().unwrap().catch(() => undefined)
    await page.finish()
    page.hide()
    expect(Object.keys(storage.saved.at(-1)!.state.runs)).toEqual(kept)
    expect(uncaught.mock.calls[0]![0]).toMatchObject({ message: 'The app fails.' })
  })

  it('does not keep the page from being saved when it is left', async () => {
    const storage = createStorage()
    const { fetch } = createFakeRunServer(encoded)
    const page = createPage({ storage, fetch, enhancer: throwAfter('eventsReceived') })
    await page.open().unwrap()
    void page.start()
    await page.rest(1)
    page.hide()
    expect(storage.saved.at(-1)!.state).toEqual(page.state())
    expect(Object.keys(page.state().runs)).toEqual(['r1'])
  })
})
