import { describe, expect, it } from 'vitest'
import { replayed } from '../createCheckpointPage.ts'
import { createTabPages } from './createTabPages.ts'

const resumed = { kind: 'resume', runId: 'r1', after: 40 }

describe('a page that comes back from the back/forward cache', () => {
  it.each(['fails', 'does not answer'] as const)('goes on from where it stood, also where the storage %s by then', async (way) => {
    const pages = createTabPages({ hangAfterEvents: [40] })
    let isBroken = false
    const load = (sessionId: string) => {
      if (!isBroken) return pages.storage.load(sessionId)
      if (way === 'fails') throw new Error('No.')
      return new Promise<undefined>(() => undefined)
    }
    const page = pages.open({ storage: { ...pages.storage, load } })
    await page.rest(8)
    void page.start()
    await page.rest(8)
    page.tab.freeze()
    isBroken = true
    page.tab.thaw()
    await page.rest(8)
    page.fireTimers(5000)
    await page.rest(8)
    expect(page.checkpointError()).toMatchObject({ code: 'load_failed' })
    expect(pages.server.requests.slice(1)).toEqual([resumed])
    await page.finish()
    expect(page.state()).toEqual(replayed)
  })
})
