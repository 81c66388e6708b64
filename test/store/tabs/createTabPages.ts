import type { StoreEnhancer } from '@reduxjs/toolkit'
import type { AgentCheckpointStorage, AgentEnvironment, AgentRuntimeOptions } from 'redux-agent'
import { createFakeRunServer } from '../createFakeRunServer.ts'
import { createStorage, encoded } from '../createCheckpointPage.ts'
import { createPage, hangAfter } from '../createPage.ts'
import { createBrowser } from './createBrowser.ts'

/** A browser whose tabs have one storage and one run server, the first answers of which stop after an event. */
export function createTabPages(options: { hangAfterEvents?: readonly (number | undefined)[]; byHand?: boolean } = {}) {
  const { hangAfterEvents = [], byHand = false } = options
  const browser = createBrowser({ byHand })
  const storage = createStorage()
  const server = createFakeRunServer(encoded)
  const fetch: typeof globalThis.fetch = async (...input) => {
    const response = await server.fetch(...input)
    const request = server.requests.at(-1)!
    const events = hangAfterEvents[server.requests.length - 1]
    if (events === undefined) return response
    const size = encoded.offsetOf(request.kind === 'resume' ? request.after : 0, events + 1)
    return hangAfter(response, size)
  }
  let opened = 0

  return {
    browser,
    storage,
    server,
    open(
      how: {
        storage?: AgentCheckpointStorage
        runtime?: Partial<AgentRuntimeOptions<'agent'>>
        ids?: string[]
        sessionId?: string
        enhancer?: StoreEnhancer
        /** What the browser gives this tab instead of what it should; `undefined` where it gives nothing. */
        instead?: Partial<AgentEnvironment>
      } = {},
    ) {
      opened += 1
      const name = String.fromCharCode(96 + opened)
      const tab = browser.createTab()
      const ids = how.ids ?? [`tab-${name}`, 'r1', `${name}1`, `${name}2`]
      const page = createPage({ fetch, storage, ids, environment: { ...tab.environment, ...how.instead }, ...how })
      const opening = page.open(how.sessionId)
      opening.catch(() => undefined)
      return { ...page, tab, opening }
    },
  }
}
