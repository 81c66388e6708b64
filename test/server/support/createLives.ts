import type { RunServerOptions } from '../../../demo/server/createRunServer.ts'
import type { RunServerStore } from '../../../demo/server/store/runServerStore.ts'
import { createSqliteStore } from '../../../demo/server/store/sqlite/createSqliteStore.ts'
import { readFrames, type Frame } from './readFrames.ts'
import { startTestServer, type TestServer } from './startTestServer.ts'
import type { TestBrowser } from './createBrowser.ts'

/** A database that outlives its servers, of which several may live at once. */
export function createLives(inner: RunServerStore = createSqliteStore(':memory:')) {
  const servers: TestServer[] = []
  return {
    store: inner,
    /** Starts a server on it. */
    async live(options: Partial<RunServerOptions> = {}): Promise<TestServer> {
      const store = { ...inner, close: async () => undefined }
      const server = await startTestServer({ store, sessionSecret: 'same', ...options })
      servers.push(server)
      return server
    },
    async close() {
      for (const server of servers) await server.close()
    },
  }
}

/** Has a run taken up again after a cursor, and gives its stream. */
export async function resumeRun(
  browser: TestBrowser,
  runId: string,
  { after = 0, withCheckpoints = false } = {},
): Promise<AsyncGenerator<Frame, void, undefined>> {
  const response = await browser.send('/api/agent/stream', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ resume: { runId, lastAppliedSeq: after } }),
  })
  if (response.status !== 200) throw new Error(`Resume: ${response.status} ${await response.text()}`)
  return readFrames(response, { withCheckpoints })
}
