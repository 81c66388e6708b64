import { once } from 'node:events'
import { connect } from 'node:net'
import { afterEach, expect, it, vi } from 'vitest'
import { appendEvents } from '../../demo/server/runs/appendEvents.ts'
import { createSqliteStore } from '../../demo/server/store/sqlite/createSqliteStore.ts'
import { createScriptedModel, say } from './support/createScriptedModel.ts'
import { readUntil } from './support/readFrames.ts'
import { startTestServer, type TestServer } from './support/startTestServer.ts'

let server: TestServer | undefined
afterEach(async () => {
  vi.restoreAllMocks()
  await server?.close()
  server = undefined
})

it('a reader that has stopped reading loses its line, and neither the log nor its stream has an error of it', async () => {
  const printed = vi.spyOn(console, 'error')
  const store = createSqliteStore(':memory:')
  let open = 0
  server = await startTestServer({
    ...{ store, model: createScriptedModel([[say('Hi'), new Promise(() => undefined)]]) },
    ...{ keepAliveMs: 20, stallMs: 60 },
    httpObserver: { streamOpened: () => (open += 1), streamClosed: () => (open -= 1) },
  })
  const browser = server.createBrowser()
  const { frames, runId } = await browser.start('Go')
  await readUntil(frames, 'message.delta')
  await frames.return(undefined)
  await expect.poll(() => open).toBe(0)
  // More than a line holds that nobody reads from.
  const payload = { messageId: 'm', delta: 'x'.repeat(100_000) }
  const drafts = Array.from({ length: 200 }, () => ({ type: 'message.delta' as const, payload }))
  await store.transaction((transaction) => appendEvents(transaction, { runId, drafts, now: 1 }))
  const { hostname, port } = new URL(server.url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => undefined)
  socket.write(`GET /api/agent/runs/${runId}/stream HTTP/1.1\r\nhost: localhost\r\ncookie: ${browser.getCookie()}\r\n\r\n`)
  await once(socket, 'readable')
  await expect.poll(() => open, { timeout: 20_000 }).toBe(0)
  let end = ''
  socket.on('data', (chunk: Buffer) => (end = (end + chunk.toString('latin1')).slice(-1_000)))
  await once(socket, 'close')
  expect(end).not.toContain('Error')
  expect(printed).not.toHaveBeenCalled()
})
