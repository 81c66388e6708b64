import type { ServerOptions } from 'node:http'
import { createModelClient, type ModelClient } from '../../../demo/server/chat/createModelClient.ts'
import { createRunServer, type RunServer, type RunServerOptions } from '../../../demo/server/createRunServer.ts'
import { listen } from '../../../demo/server/listen.ts'
import { createLocalModelApp } from '../../../demo/server/model/createLocalModelApp.ts'
import { createBrowser, type TestBrowser } from './createBrowser.ts'

export interface TestServer {
  url: string
  /** A browser of its own: another person, unless it brings a cookie. */
  createBrowser(cookie?: string): TestBrowser
  /** One round of retention and compaction. */
  maintain: RunServer['maintain']
  close(): Promise<void>
}

/** The demo's own model behind the real client, without a delay between tokens. */
function createLocalModel(): ModelClient {
  const app = createLocalModelApp({ tokenDelayMs: 0 })
  return createModelClient({
    apiKey: 'local',
    baseURL: 'http://model.test/v1',
    fetch: async (input, init) => app.request(input as string, init),
    getThinkingParameters: (enabled) => ({ enable_thinking: enabled }),
  })
}

/** Starts a run server on a free port. */
export async function startTestServer(
  options: Partial<RunServerOptions> = {},
  serverOptions?: ServerOptions,
): Promise<TestServer> {
  const runServer = await createRunServer({ model: createLocalModel(), gatherMs: 0, ...options })
  const { fetch } = runServer.app
  const { server, url } = await listen({ fetch, port: 0, host: '127.0.0.1', serverOptions })
  let closed: Promise<void> | undefined
  const close = async () => {
    await runServer.close()
    server.closeAllConnections()
    await new Promise((done) => server.close(done))
  }
  return {
    url,
    createBrowser: (cookie) => createBrowser(url, cookie),
    maintain: runServer.maintain,
    // A test may close its server itself; what cleans up after it then has nothing to do.
    close: () => (closed ??= close()),
  }
}
