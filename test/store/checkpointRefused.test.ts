import { replayAgentEvents } from 'redux-agent'
import { describe, expect, it } from 'vitest'
import { createStorage } from './createCheckpointPage.ts'
import { createFakeRunServer, encodeLog } from './createFakeRunServer.ts'
import { createHangingFetch, createPage } from './createPage.ts'
import { createRun } from './createRunEvents.ts'
import { createBrowser } from './tabs/createBrowser.ts'

// A server numbers its events whether the reducer takes them or not, so that a run may stand at one that it refused.

const run = createRun('r1')
const log = [
  run.create('message.delta', { messageId: 'unknown', delta: 'x' }),
  run.create('run.started', {}),
  run.create('run.started', {}),
  run.create('message.started', { messageId: 'm', role: 'assistant' }),
  run.create('message.delta', { messageId: 'unknown', delta: 'x' }),
  run.create('message.delta', { messageId: 'unknown', delta: 'y' }),
  run.create('message.delta', { messageId: 'm', delta: 'Hello' }),
  { ...run.create('message.delta', { messageId: 'm', delta: ' again' }), eventId: 'r1:7:message.delta' },
  run.create('approval.requested', { approvalId: 'a' }),
  run.create('approval.requested', { approvalId: 'a' }),
  run.create('approval.resolved', { approvalId: 'a', decision: 'approved' }),
  run.create('message.completed', { messageId: 'm' }),
  run.create('message.completed', { messageId: 'm' }),
  run.create('run.completed', {}),
]
const encoded = encodeLog(log)
const replayed = replayAgentEvents(log)
const places = log.slice(0, -1).map((_, index) => index + 1)

describe('a run that stands at an event which was refused, or is known', () => {
  it.each(places)('goes on after a reload, from where it stood: after event %i', async (events) => {
    const storage = createStorage()
    const server = createFakeRunServer(encoded)
    const fetch = createHangingFetch(server.fetch, (index) => (index === 0 ? encoded.offsetOf(0, events + 1) : undefined))
    const first = createPage({ fetch, storage })
    await first.open().unwrap()
    void first.start()
    await first.rest(8)
    first.hide()
    const second = createPage({ fetch, storage, ids: ['r2'] })
    await second.open().unwrap()
    await second.finish()
    expect(second.state()).toEqual(replayed)
    expect(server.requests.slice(1)).toEqual([{ kind: 'resume', runId: 'r1', after: events }])
  })

  it.each(places)('is followed by another tab, and taken over by that: after event %i', async (events) => {
    const storage = createStorage()
    const browser = createBrowser()
    const server = createFakeRunServer(encoded)
    const hold = (index: number) => (index === 0 ? encoded.offsetOf(0, events + 1) : index === 1 ? 0 : undefined)
    const fetch = createHangingFetch(server.fetch, hold)
    const open = (name: string, runId: string) => {
      const { environment, kill } = browser.createTab()
      const page = createPage({ fetch, storage, ids: [name, runId], environment })
      page.open().catch(() => undefined)
      return { ...page, kill }
    }
    const first = open('a', 'r1')
    await first.rest()
    void first.start()
    await first.rest(8)
    const [second, third] = [open('b', 'r2'), open('c', 'r3')]
    const rest = async () => {
      for (const page of [first, second, third, first, second, third]) await page.rest(2)
    }
    await rest()
    first.kill()
    await rest()
    // The second one has but the snapshot, and is gone before anything more has come.
    second.kill()
    await rest()
    await third.finish()
    expect(third.state()).toEqual(replayed)
    for (const request of server.requests.slice(1)) expect(request).toEqual({ kind: 'resume', runId: 'r1', after: events })
  })
})
