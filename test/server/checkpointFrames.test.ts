import { afterEach, expect, it } from 'vitest'
import type { RunServerStore } from '../../demo/server/store/runServerStore.ts'
import { createGate, createScriptedModel, finish, call, say } from './support/createScriptedModel.ts'
import { describeEachStore } from './support/eachStore.ts'
import { nameOf, readAll, readFrames, readUntil, type Frame } from './support/readFrames.ts'
import { startTestServer, type TestServer } from './support/startTestServer.ts'

let server: TestServer | undefined
afterEach(async () => {
  await server?.close()
  server = undefined
})

/** Holds back what follows the result of a tool until `isRead`: then a follower has all that was stored before. */
function holdAfterResult(store: RunServerStore, isRead: Promise<unknown>): RunServerStore {
  let hasResult = false
  return {
    ...store,
    async transaction(work) {
      if (hasResult) await isRead
      const outcome = await store.transaction((transaction) =>
        work({
          ...transaction,
          events: {
            ...transaction.events,
            async insert(rows) {
              hasResult ||= rows.some(({ event }) => event.type === 'tool.completed')
              return transaction.events.insert(rows)
            },
          },
        }),
      )
      return outcome
    },
    close: async () => undefined,
  }
}

describeEachStore('checkpoints among a stream’s frames', (stores) => {
  it('come to who follows live as they come in a replay, also after the run was compacted', async () => {
    const gates = Array.from({ length: 4 }, () => createGate())
    const isRead = createGate()
    const model = createScriptedModel([
      [call('document_read', { documentId: 'travel-policy' }, 0, 'read'), ...finish('tool_calls')],
      [...gates.flatMap((gate, index) => [say(`The piece ${index} `), gate.opened]), ...finish('stop')],
    ])
    const store = holdAfterResult(await stores.open(), isRead.opened)
    server = await startTestServer({ model, store, checkpointLength: 5 })
    const browser = server.createBrowser()
    const response = await browser.send('/api/agent/stream', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ conversationId: 'c1', messages: [{ role: 'user', content: 'Go' }] }),
    })
    const frames = readFrames(response, { withCheckpoints: true })
    const live: Frame[] = await readUntil(frames, 'tool.completed')
    isRead.open()
    for (const gate of gates) {
      live.push(...(await readUntil(frames, 'message.delta')))
      gate.open()
    }
    live.push(...(await readAll(frames)))

    const { runId } = live[0]!.data
    const replay = async () =>
      readAll(
        readFrames(await browser.send(`/api/agent/runs/${String(runId)}/stream?after=0`), { withCheckpoints: true }),
      )
    expect(live).toEqual(await replay())
    const kinds = live.filter((frame) => nameOf(frame) === 'checkpoint').map(({ data }) => data.checkpointKind)
    expect(kinds.filter((kind) => kind === 'iteration_completed')).toHaveLength(2)
    expect(kinds.filter((kind) => kind === 'assistant_delta').length).toBeGreaterThan(2)
    expect(await server.maintain()).toMatchObject({ compacted: 1 })
    expect(live).toEqual(await replay())
    const page = await browser.request<{ checkpoints: unknown[] }>('GET', `/api/agent/runs/${String(runId)}/events`)
    expect(page.body.checkpoints).toHaveLength(kinds.length)
  })
})
