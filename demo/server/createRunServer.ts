import { randomBytes, randomUUID } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import { serveStatic } from '@hono/node-server/serve-static'
import { Hono } from 'hono'
import type { ModelClient } from './chat/createModelClient.ts'
import { createShelf } from './documents/createShelf.ts'
import { createAgentRoutes } from './http/agentRoutes.ts'
import { checkHost } from './http/checkHost.ts'
import { createDocumentRoutes } from './http/documentRoutes.ts'
import { handleError } from './http/handleError.ts'
import type { HttpEnv } from './http/httpEnv.ts'
import { identifyOwner } from './http/identifyOwner.ts'
import { limitBody } from './http/limitBody.ts'
import { createReadModelRoutes } from './http/readModelRoutes.ts'
import { refuseCrossSite } from './http/refuseCrossSite.ts'
import { securityHeaders } from './http/securityHeaders.ts'
import { RunServerError } from './runServerError.ts'
import { createRunExecutor } from './runs/createRunExecutor.ts'
import { createRunSignals } from './runs/createRunSignals.ts'
import { markInterruptedRuns } from './runs/markInterruptedRuns.ts'
import type { RunServices } from './runs/runServices.ts'
import { setNodeTimer, type SetTimer } from './setTimer.ts'
import { createSqliteStore } from './store/sqlite/createSqliteStore.ts'
import type { RunServerStore } from './store/runServerStore.ts'
import { createPublishingService, type PublishingService } from './tools/createPublishingService.ts'
import { createTools } from './tools/createTools.ts'

/** What a run server is made of; times are in milliseconds. */
export interface RunServerOptions {
  model: ModelClient
  /** The model of runs that name none. */
  defaultModel?: string
  /** Further models that a run may name. */
  models?: readonly string[]
  /** Names under which the server answers besides localhost, 127.0.0.1 and [::1], whatever the port. */
  allowedHosts?: readonly string[]
  /** How many runs of one owner may be under way at once; 8 by default. */
  maxRunningRuns?: number
  /** How many may write within an hour whose cookie never comes back; 100 by default. */
  maxNewcomers?: number
  /** In memory by default. */
  store?: RunServerStore
  /** Signs the cookies; by default one that is forgotten with the process. */
  sessionSecret?: string
  /** A folder with the built page, served beside the API. */
  staticFolder?: string
  now?(): number
  createId?(): string
  setTimer?: SetTimer
  publishing?: PublishingService
  gatherMs?: number
  holdMs?: number
  maxSteps?: number
  keepAliveMs?: number
  parkAfterMs?: number
  /** How often changes by other processes are looked for, behind their hints; 1.5 s by default. */
  pollMs?: number
  /** How long a person may take to decide; 24 h by default. */
  approvalMs?: number
  /** How long a run's log is kept after its last change; 24 h by default. */
  retentionMs?: number
}

const day = 24 * 60 * 60_000

export interface RunServer {
  app: Hono<HttpEnv>
  /** Ends all streams and all work, then closes the store. */
  close(): Promise<void>
}

/**
 * Makes the run server: it records, streams and carries out runs, and answers for the documents they work on.
 *
 * @example
 * const server = await createRunServer({ model: createModelClient({ apiKey }) })
 * serve({ fetch: server.app.fetch, port: 8787, hostname: '127.0.0.1' })
 */
export async function createRunServer(options: RunServerOptions): Promise<RunServer> {
  const { now = Date.now, createId = randomUUID, setTimer = setNodeTimer } = options
  const store = options.store ?? createSqliteStore(':memory:')
  const secret = options.sessionSecret ?? randomBytes(32).toString('base64url')
  const signals = createRunSignals({ store, setTimer, pollMs: options.pollMs ?? 1_500 })
  const closing = new AbortController()
  // Every open stream listens.
  setMaxListeners(0, closing.signal)
  const shelf = createShelf({ now })
  const defaultModel = options.defaultModel ?? 'local'
  const services: RunServices = {
    store,
    signals,
    tools: createTools({ publishing: options.publishing ?? createPublishingService({ now }) }),
    model: options.model,
    shelf,
    setTimer,
    now,
    createId,
    settings: {
      defaultModel,
      models: new Set([defaultModel, ...(options.models ?? [])]),
      maxRunningRuns: options.maxRunningRuns ?? 8,
      gatherMs: options.gatherMs ?? 25,
      holdMs: options.holdMs ?? 2 * 60_000,
      maxSteps: options.maxSteps ?? 12,
      approvalMs: options.approvalMs ?? day,
      retentionMs: options.retentionMs ?? day,
    },
  }
  const streams = {
    store,
    signals,
    setTimer,
    keepAliveMs: options.keepAliveMs ?? 15_000,
    parkAfterMs: options.parkAfterMs ?? 5 * 60_000,
    closing: closing.signal,
  }
  const executor = createRunExecutor(services)
  await markInterruptedRuns(services)

  const app = new Hono<HttpEnv>()
  app.use(securityHeaders)
  app.use(checkHost(options.allowedHosts ?? []))
  app.use('/api/*', refuseCrossSite)
  app.use('/api/*', limitBody)
  const identify = identifyOwner({ store, secret, now, createId, maxNewcomers: options.maxNewcomers ?? 100 })
  app.use('/api/*', identify)
  app.route('/api/agent', createAgentRoutes({ services, streams, executor }))
  app.route('/api/agent', createReadModelRoutes(store))
  app.route('/api/documents', createDocumentRoutes({ store, shelf, now, createId }))
  if (options.staticFolder !== undefined) {
    // The page brings the cookie, so that its first requests need not race for one.
    app.get('/', identify)
    app.get('/*', serveStatic({ root: options.staticFolder }))
    app.get('/', serveStatic({ root: options.staticFolder, path: 'index.html' }))
  }
  app.notFound(() => {
    throw new RunServerError({ status: 404, code: 'not_found', message: 'There is nothing at this address.' })
  })
  app.onError(handleError)
  return {
    app,
    async close() {
      closing.abort()
      await executor.close()
      signals.close()
      await store.close()
    },
  }
}
