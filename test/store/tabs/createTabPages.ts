import type { AgentCheckpointStorage, AgentRuntimeOptions } from 'redux-agent'
import { createFakeRunServer } from '../createFakeRunServer.ts'
import { createStorage, encoded } from '../createCheckpointPage.ts'
import { createHangingFetch, createPage } from '../createPage.ts'
import { createBrowser } from './createBrowser.ts'

/** A browser whose tabs have one storage and one run server, the first answers of which stop after so many events. */
export function createTabPages(options: { hangAfterEvents?: readonly (number | undefined)[] } = {}) {
  const { hangAfterEvents = [] } = options
  const browser = createBrowser()
  const storage = createStorage()
  const server = createFakeRunServer(encoded)
  const lastAsked = () => {
    const request = server.requests.at(-1)
    return request?.kind === 'resume' ? request.after : 0
  }
  const fetch = createHangingFetch(server.fetch, (index) => {
    const events = hangAfterEvents[index]
    return events === undefined ? undefined : encoded.offsetOf(lastAsked(), events + 1)
  })
  let opened = 0

  return {
    browser,
    storage,
    server,
    open(how: { storage?: AgentCheckpointStorage; runtime?: Partial<AgentRuntimeOptions<'agent'>>; ids?: string[] } = {}) {
      opened += 1
      const name = String.fromCharCode(96 + opened)
      const tab = browser.createTab()
      const ids = how.ids ?? [`tab-${name}`, 'r1', `${name}1`, `${name}2`]
      const page = createPage({ fetch, storage, ids, environment: tab.environment, ...how })
      const opening = page.open()
      opening.catch(() => undefined)
      return { ...page, tab, opening }
    },
  }
}
