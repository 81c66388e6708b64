import { randomBytes, randomUUID } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import { serveStatic } from '@hono/node-server/serve-static'
import { Hono } from 'hono'
import type { ModelClient } from './chat/createModelClient.ts'
import { createShelf } from './documents/createShelf.ts'
import { createAgentRoutes } from './http/agentRoutes.ts'
import { checkHost } from './http/checkHost.ts'
import { createDocumentRoutes } from './http/documentRoutes.ts'
import { createErrorHandler } from './http/createErrorHandler.ts'
import { createNotFound } from './http/createNotFound.ts'
import { createStreamGate } from './http/createStreamGate.ts'
import type { HttpEnv } from './http/httpEnv.ts'
import type { HttpObserver } from './http/httpObserver.ts'
import { identifyOwner } from './http/identifyOwner.ts'
import { limitBody } from './http/limitBody.ts'
import { observeRequests } from './http/observeRequests.ts'
import { defaultRateLimits } from './http/defaultRateLimits.ts'
import { limitAddress } from './http/limitAddress.ts'
import { limitOwner } from './http/limitOwner.ts'
import type { RateLimits } from './http/rateLimits.ts'
import { readAddress } from './http/readAddress.ts'
import { createReadModelRoutes } from './http/readModelRoutes.ts'
import { refuseCrossSite } from './http/refuseCrossSite.ts'
import { refuseWhileClosing } from './http/refuseWhileClosing.ts'
import { securityHeaders } from './http/securityHeaders.ts'
import type { Metrics } from './ops/createMetrics.ts'
import { createOpsRoutes } from './ops/createOpsRoutes.ts'
import { createScrubber, type Scrubber } from './ops/createScrubber.ts'
import { scrubModel } from './ops/scrubModel.ts'
import { scrubStore } from './ops/scrubStore.ts'
import type { CrashPoint } from './runs/crashPoint.ts'
import { createLeaseKeeper } from './runs/createLeaseKeeper.ts'
import { createMaintenance } from './runs/createMaintenance.ts'
import { createRunExecutor } from './runs/createRunExecutor.ts'
import { createRunSignals } from './runs/createRunSignals.ts'
import type { MaintenanceReport } from './runs/maintainRuns.ts'
import { markInterruptedRuns } from './runs/markInterruptedRuns.ts'
import { recoverRuns } from './runs/recoverRuns.ts'
import type { RunObserver } from './runs/runObserver.ts'
import type { RecoveryBudget, RunServices } from './runs/runServices.ts'
import { setNodeTimer, type SetTimer } from './setTimer.ts'
import { createSqliteStore } from './store/sqlite/createSqliteStore.ts'
import type { RunServerStore } from './store/runServerStore.ts'
import type { AgentTool } from './tools/agentTool.ts'
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
  /** How often the API may be asked. */
  rateLimits?: Partial<RateLimits>
  /** How many streams one owner may hold open; 64 by default. */
  maxStreams?: number
  /** How many proxies of one's own stand before the server, so that X-Forwarded-For can be believed; 0 by default. */
  trustedProxies?: number
  /** Keeps secrets out of what is stored; by default those that can be told by how they look. */
  scrubber?: Scrubber
  httpObserver?: HttpObserver
  /** Shown at /metrics. */
  metrics?: Metrics
  /** What has to be brought to see them, as a bearer token. */
  metricsToken?: string
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
  /** How long a tool call waits for a person of which nobody knows whether it was done; 24 h by default. */
  unknownHoldMs?: number
  /** How many characters of an answer are streamed from one checkpoint to the next; 4096 by default. */
  checkpointLength?: number
  keepAliveMs?: number
  /** How long a stream stays open while an approval waits; 5 minutes by default. */
  parkAfterMs?: number
  /** How long a reader may leave what it was sent unread; a minute by default. */
  stallMs?: number
  /** Tools besides the demo's own. */
  tools?: readonly AgentTool[]
  /** What this node is called: one that starts under a name takes up the runs of its earlier life at once. */
  node?: string
  /** How long a node may be silent before others take its runs over; 15 s by default. */
  leaseMs?: number
  recovery?: Partial<RecoveryBudget>
  /** Whether this node takes up runs by itself that others or its earlier life left; else they wait for a `resume`. */
  isRecovering?: boolean
  /** How often retention and compaction run; every 10 minutes by default. */
  maintenanceMs?: number
  observer?: RunObserver
  crashPoint?: CrashPoint
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
  /** One round of retention and compaction, now. */
  maintain(): Promise<MaintenanceReport>
  /** Ends all streams and all work, stores what was gathered and lets go of its runs, then closes the store. */
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
  const { isRecovering = true, node = 'local', maintenanceMs = 10 * 60_000 } = options
  const scrubber = options.scrubber ?? createScrubber()
  const store = scrubStore(options.store ?? createSqliteStore(':memory:'), scrubber)
  const observer: RunObserver = options.observer ?? { failed: (error) => console.error(error) }
  const httpObserver = options.httpObserver ?? {}
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
    tools: createTools({ publishing: options.publishing ?? createPublishingService({ now }), more: options.tools }),
    model: scrubModel(options.model, scrubber),
    shelf,
    setTimer,
    now,
    createId,
    holder: `${node}/${createId()}`,
    crashPoint: options.crashPoint ?? (() => undefined),
    observer,
    settings: {
      defaultModel,
      models: new Set([defaultModel, ...(options.models ?? [])]),
      maxRunningRuns: options.maxRunningRuns ?? 8,
      gatherMs: options.gatherMs ?? 25,
      checkpointLength: options.checkpointLength ?? 4096,
      holdMs: options.holdMs ?? 2 * 60_000,
      unknownHoldMs: options.unknownHoldMs ?? day,
      maxSteps: options.maxSteps ?? 12,
      approvalMs: options.approvalMs ?? day,
      retentionMs: options.retentionMs ?? day,
      leaseMs: options.leaseMs ?? 15_000,
      recovery: { maxRecoveries: 20, maxIdleRecoveries: 5, maxAgeMs: 7 * day, ...options.recovery },
    },
  }
  const streams = {
    store,
    signals,
    setTimer,
    now,
    gate: createStreamGate({ max: options.maxStreams ?? 64 }),
    observer: httpObserver,
    keepAliveMs: options.keepAliveMs ?? 15_000,
    parkAfterMs: options.parkAfterMs ?? 5 * 60_000,
    stallMs: options.stallMs ?? 60_000,
    closing: closing.signal,
    failed: observer.failed,
  }
  const executor = createRunExecutor(services)
  if (!isRecovering) await markInterruptedRuns(services)
  // The leases that are taken here have to be held on to from the first one on.
  const keeper = createLeaseKeeper(services, executor, { isRecovering })
  if (isRecovering) await recoverRuns(services, executor, { node })
  const maintenance = createMaintenance(services, executor, { intervalMs: maintenanceMs })

  const app = new Hono<HttpEnv>()
  const { metrics, metricsToken, trustedProxies } = options
  const ops = createOpsRoutes({ store, setTimer, now, createId, closing: closing.signal, metrics, metricsToken })
  const limits = { ...defaultRateLimits, ...options.rateLimits }
  app.use(observeRequests(httpObserver, now))
  app.use(securityHeaders)
  // Before names are checked: whoever looks after many nodes asks them by their addresses.
  app.route('/', ops.health)
  app.use(checkHost(options.allowedHosts ?? []))
  app.route('/', ops.figures)
  app.use('/api/*', refuseWhileClosing(closing.signal))
  app.use(readAddress({ trustedProxies }))
  app.use('/api/*', limitAddress(limits.address, now))
  app.use('/api/*', refuseCrossSite)
  app.use('/api/*', limitBody)
  const identify = identifyOwner({ store, secret, now, createId, maxNewcomers: options.maxNewcomers ?? 100 })
  app.use('/api/*', identify)
  app.use('/api/*', limitOwner(limits, now))
  app.route('/api/agent', createAgentRoutes({ services, streams, executor, scrubber }))
  app.route('/api/agent', createReadModelRoutes(store))
  app.route('/api/documents', createDocumentRoutes({ store, shelf, now, createId }))
  if (options.staticFolder !== undefined) {
    // The page brings the cookie, so that its first requests need not race for one.
    app.get('/', identify)
    app.get('/*', serveStatic({ root: options.staticFolder }))
    app.get('/', serveStatic({ root: options.staticFolder, path: 'index.html' }))
  }
  app.notFound(createNotFound(app))
  app.onError(createErrorHandler({ runs: observer, http: httpObserver }))
  return {
    app,
    maintain: maintenance.run,
    async close() {
      closing.abort()
      await keeper.close()
      await maintenance.close()
      await executor.close()
      signals.close()
      await store.close()
    },
  }
}
