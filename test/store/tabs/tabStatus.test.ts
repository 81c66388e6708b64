import { describe, expect, it } from 'vitest'
import { createTabPages } from './createTabPages.ts'

type Page = ReturnType<ReturnType<typeof createTabPages>['open']>

async function rest(...pages: readonly Page[]) {
  for (let turns = 0; turns < 2; turns += 1) for (const page of pages) await page.rest(4)
}

/** Two tabs, one after the other, of a session whose storage cannot be read. */
async function openUnread() {
  const { storage, open } = createTabPages()
  storage.gate = Promise.reject(new Error('The disk is gone.'))
  storage.gate.catch(() => undefined)
  const first = open()
  await rest(first)
  const second = open()
  await rest(first, second)
  return { storage, first, second }
}

describe('a tab that comes later', () => {
  it('is told that the owner could not read the storage, as the owner shows it', async () => {
    const { first, second } = await openUnread()
    expect(first.checkpointError()).toMatchObject({ code: 'load_failed' })
    expect(first.session()).toBe('failed')
    expect([second.isFollowing(), second.checkpointError(), second.session()]).toEqual([
      true,
      first.checkpointError(),
      'failed',
    ])
  })

  it('is told that the owner cannot save, and that it can again', async () => {
    const { storage, open } = createTabPages({ hangAfterEvents: [40] })
    const first = open()
    await rest(first)
    storage.saveFault = new DOMException('Full.', 'QuotaExceededError')
    void first.start()
    await rest(first)
    first.hide()
    await rest(first)
    const second = open()
    await rest(first, second)
    expect(first.checkpointError()).toMatchObject({ code: 'quota_exceeded' })
    expect(second.checkpointError()).toEqual(first.checkpointError())
    storage.saveFault = undefined
    first.store.dispatch(first.agent.actions.abortRun({ sessionId: 's1' }))
    await rest(first, second)
    expect([first.checkpointError(), second.checkpointError()]).toEqual([undefined, undefined])
  })

  it('forgets what the owner said of its storage once it is the owner itself, and can read it', async () => {
    const { storage, first, second } = await openUnread()
    storage.gate = undefined
    first.tab.close()
    await rest(second)
    expect([second.isFollowing(), second.checkpointError(), second.session()]).toEqual([false, undefined, 'idle'])
  })
})
