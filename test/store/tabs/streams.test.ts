import { createMemoryAgentCheckpointStorage } from 'redux-agent'
import { createGate, createScriptedProvider, type Gate } from 'redux-agent/testing'
import { describe, expect, it } from 'vitest'
import { createPage } from '../createPage.ts'
import { createRun } from '../createRunEvents.ts'
import { createBrowser } from './createBrowser.ts'

/** Five conversations in tabs of their own, each with a run that ends when its gate opens. */
function createFive(tabs?: false) {
  const browser = createBrowser()
  const gates: Gate[] = []
  const pages = Array.from({ length: 5 }, (_, index) => {
    const runId = `r${index}`
    const gate = createGate()
    gates.push(gate)
    const run = createRun(runId, `s${index}`)
    const provider = createScriptedProvider({
      steps: [{ events: [run.create('run.started', {})] }, { gate }, { events: [run.create('run.completed', {})] }],
    })
    const { environment, kill } = browser.createTab()
    const storage = createMemoryAgentCheckpointStorage()
    const runtime = { providers: [provider], ...(tabs === false && { tabs }) }
    const page = createPage({ fetch, storage, ids: [runId], runtime, environment })
    const { agent, store } = page
    const start = () => store.dispatch(agent.actions.startRun({ sessionId: `s${index}`, provider: 'scripted', input: {} }))
    return { ...page, provider, kill, start, wire: () => page.connection(runId) }
  })
  const rest = async () => {
    for (const page of pages) await page.rest(3)
  }
  return { browser, gates, pages, rest }
}

describe('the streams of a browser', () => {
  it('are four at the most: the fifth run waits, and says so, until one of the others ends', async () => {
    const { gates, pages, rest } = createFive()
    for (const page of pages) page.start()
    await rest()
    expect(pages.map(({ provider }) => provider.calls.opens.length)).toEqual([1, 1, 1, 1, 0])
    expect(pages[4]!.wire()).toMatchObject({ state: 'connecting', isQueued: true })
    gates[2]!.open()
    await rest()
    expect(pages[4]!.provider.calls.opens).toHaveLength(1)
    expect(pages[4]!.wire()).toMatchObject({ state: 'connected' })
    expect(pages[4]!.wire()).not.toHaveProperty('isQueued')
  })

  it('are free again when their tab has gone', async () => {
    const { pages, rest } = createFive()
    for (const page of pages) page.start()
    await rest()
    pages[0]!.kill()
    await rest()
    expect(pages[4]!.provider.calls.opens).toHaveLength(1)
  })

  it('are not waited for by a run that is stopped meanwhile', async () => {
    const { browser, gates, pages, rest } = createFive()
    for (const page of pages) page.start()
    await rest()
    const { store, agent, provider, wire } = pages[4]!
    store.dispatch(agent.actions.abortRun({ runId: 'r4' }))
    for (const gate of gates) gate.open()
    await rest()
    expect(provider.calls.opens).toHaveLength(0)
    expect(wire()).toMatchObject({ state: 'idle', detached: true })
    expect(wire()).not.toHaveProperty('isQueued')
    expect(browser.locks()).toEqual([])
  })

  it('are as many as there are runs where tabs share nothing', async () => {
    const { pages, rest } = createFive(false)
    for (const page of pages) page.start()
    await rest()
    expect(pages.map(({ provider }) => provider.calls.opens.length)).toEqual([1, 1, 1, 1, 1])
  })
})
