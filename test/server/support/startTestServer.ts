import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { Server } from 'node:http'
import { serve } from '@hono/node-server'
import { createModelClient, type ModelClient } from '../../../demo/server/chat/createModelClient.ts'
import { createRunServer, type RunServerOptions } from '../../../demo/server/createRunServer.ts'
import { createLocalModelApp } from '../../../demo/server/model/createLocalModelApp.ts'
import { createBrowser, type TestBrowser } from './createBrowser.ts'

export interface TestServer {
  url: string
  /** A browser of its own: another person, unless it brings a cookie. */
  createBrowser(cookie?: string): TestBrowser
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
export async function startTestServer(options: Partial<RunServerOptions> = {}): Promise<TestServer> {
  const runServer = await createRunServer({ model: createLocalModel(), gatherMs: 0, ...options })
  const server = serve({ fetch: runServer.app.fetch, port: 0, hostname: '127.0.0.1' }) as Server
  await once(server, 'listening')
  let closed: Promise<void> | undefined
  const close = async () => {
    await runServer.close()
    server.closeAllConnections()
    await new Promise((done) => server.close(done))
  }
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    createBrowser: (cookie) => createBrowser(url, cookie),
    // A test may close its server itself; what cleans up after it then has nothing to do.
    close: () => (closed ??= close()),
  }
}
