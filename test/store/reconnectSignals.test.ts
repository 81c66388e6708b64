import { configureStore } from '@reduxjs/toolkit'
import { createAgentRuntime } from 'redux-agent'
import { describe, expect, it, vi } from 'vitest'
import { endOfTask } from './createHarness.ts'
import { createResumableRun } from './createResumableRun.ts'
import { createShortRun } from './createRunEvents.ts'

/** A page as far as a lost wire looks at it. */
function createPage({ onLine = true } = {}) {
  const window = new EventTarget()
  const document = Object.assign(new EventTarget(), { visibilityState: 'hidden' })
  const navigator = { onLine }
  const signals: AbortSignal[] = []
  vi.stubGlobal('navigator', navigator)
  vi.stubGlobal('document', document)
  vi.stubGlobal('addEventListener', (type: string, listener: EventListener, options: { signal: AbortSignal }) => {
    signals.push(options.signal)
    window.addEventListener(type, listener, options)
  })
  return { window, document, navigator, listening: () => signals.filter(({ aborted }) => !aborted).length }
}

/** A run in the surroundings of the host, but for its timers, which never go off; its first wire breaks. */
async function loseWire() {
  const { provider, opened } = createResumableRun({
    events: createShortRun('r1'),
    plan: ({ index }) => (index === 0 ? { cutAfterChunks: 2 } : {}),
  })
  const agent = createAgentRuntime({
    providers: [provider],
    environment: { createId: () => 'r1', setTimer: () => () => undefined },
    batch: { maxEvents: 1 },
  })
  const store = configureStore({
    reducer: { agent: agent.reducer },
    middleware: (getDefault) => getDefault().concat(agent.middleware),
  })
  const task = store.dispatch(agent.actions.startRun({ sessionId: 's1', provider: 'scripted', input: 'go' }))
  await endOfTask()
  await endOfTask()
  return { task, opened, connection: () => agent.selectors.selectRunConnection(store.getState(), 'r1') }
}

const pageshow = (persisted: boolean) => Object.assign(new Event('pageshow'), { persisted })

describe('a lost wire in a page', () => {
  it('waits for the network, and is tried at once when it is there', async () => {
    const { window, navigator, listening } = createPage({ onLine: false })
    const { task, opened, connection } = await loseWire()
    expect(connection()).toMatchObject({ state: 'reconnecting', isOffline: true })
    navigator.onLine = true
    window.dispatchEvent(new Event('online'))
    await task.unwrap()
    expect(opened()).toEqual(['open', '1'])
    expect(listening()).toBe(0)
  })

  it('is tried at once when the page is visible again, not when it is hidden', async () => {
    const { document } = createPage()
    const { task, opened } = await loseWire()
    document.dispatchEvent(new Event('visibilitychange'))
    await endOfTask()
    expect(opened()).toEqual(['open'])
    document.visibilityState = 'visible'
    document.dispatchEvent(new Event('visibilitychange'))
    await task.unwrap()
    expect(opened()).toEqual(['open', '1'])
  })

  it('is tried at once when the page is back from the back/forward cache', async () => {
    const { window } = createPage()
    const { task, opened } = await loseWire()
    window.dispatchEvent(pageshow(false))
    await endOfTask()
    expect(opened()).toEqual(['open'])
    window.dispatchEvent(pageshow(true))
    await task.unwrap()
    expect(opened()).toEqual(['open', '1'])
  })

  it('waits for its time alone on a host without a page', async () => {
    vi.stubGlobal('navigator', undefined)
    const { opened, connection } = await loseWire()
    expect(connection()).toMatchObject({ state: 'reconnecting', attempt: 1 })
    expect(opened()).toEqual(['open'])
  })
})
