import { randomUUID } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { join, resolve } from 'node:path'
import { createModelClient, type ModelClient } from './chat/createModelClient.ts'
import { createCrashPoint } from './createCrashPoint.ts'
import { createRunServer } from './createRunServer.ts'
import { listen } from './listen.ts'
import { createLocalModelApp } from './model/createLocalModelApp.ts'
import { createLog } from './ops/createLog.ts'
import { createMetrics } from './ops/createMetrics.ts'
import { createScrubber } from './ops/createScrubber.ts'
import { createShutdown } from './ops/createShutdown.ts'
import { measureStore } from './ops/measureStore.ts'
import { observeEvents } from './ops/observeEvents.ts'
import { observeHttp } from './ops/observeHttp.ts'
import { observeRuns } from './ops/observeRuns.ts'
import { readSettings, type Settings } from './ops/readSettings.ts'
import { readSessionSecret } from './readSessionSecret.ts'
import { setNodeTimer } from './setTimer.ts'
import { openStore } from './store/openStore.ts'

const settings = readSettings(process.env)
const { HOST: host, PORT: port, DATABASE_URL: databaseUrl, RATE_LIMIT: rate } = settings
const dataFolder = resolve(settings.DATA_DIR ?? fileURLToPath(new URL('../../.data', import.meta.url)))

/** The service of the environment, or without a key the local model, which speaks the same wire. */
async function connectModel(given: Settings): Promise<{ model: ModelClient; name: string; close(): void }> {
  const { OPENAI_API_KEY: apiKey, OPENAI_BASE_URL: baseURL, TOKEN_DELAY_MS: tokenDelayMs } = given
  if (apiKey !== undefined) {
    const model = createModelClient({ apiKey, baseURL })
    return { model, name: given.MODEL ?? 'gpt-4.1-mini', close: () => undefined }
  }
  const { fetch } = createLocalModelApp({ tokenDelayMs })
  const { server, url } = await listen({ fetch, port: 0, host: '127.0.0.1' })
  const getThinkingParameters = (enabled: boolean) => ({ enable_thinking: enabled })
  const model = createModelClient({ apiKey: 'local', baseURL: `${url}/v1`, getThinkingParameters })
  return { model, name: 'local', close: () => void server.close() }
}

mkdirSync(dataFolder, { recursive: true, mode: 0o700 })
const sessionSecret = settings.SESSION_SECRET ?? readSessionSecret(join(dataFolder, 'session-secret'))
const scrubber = createScrubber({
  known: [settings.OPENAI_API_KEY, databaseUrl, settings.METRICS_TOKEN, sessionSecret],
  patterns: settings.SECRET_PATTERNS,
})
const log = createLog({ scrubber, level: settings.LOG_LEVEL })
const metrics = createMetrics({ withProcess: true })
const opened = await openStore({ databaseUrl, path: join(dataFolder, 'run-server.sqlite') })
const { model, name, close: closeModel } = await connectModel(settings)
const runServer = await createRunServer({
  model,
  defaultModel: name,
  models: settings.MODELS,
  allowedHosts: [host, ...settings.ALLOWED_HOSTS],
  trustedProxies: settings.TRUSTED_PROXIES,
  maxRunningRuns: settings.MAX_RUNNING_RUNS,
  maxStreams: settings.MAX_STREAMS,
  maxNewcomers: settings.MAX_NEWCOMERS,
  rateLimits: rate === undefined ? {} : { owner: { burst: rate * 8, perSecond: rate } },
  gatherMs: settings.GATHER_MS,
  retentionMs: settings.RETENTION_HOURS === undefined ? undefined : settings.RETENTION_HOURS * 60 * 60_000,
  leaseMs: settings.LEASE_SECONDS === undefined ? undefined : settings.LEASE_SECONDS * 1_000,
  store: measureStore(opened, { metrics, onStored: observeEvents(log, metrics) }),
  scrubber,
  observer: observeRuns(log, metrics),
  httpObserver: observeHttp(log, metrics),
  metrics,
  metricsToken: settings.METRICS_TOKEN,
  sessionSecret,
  staticFolder: settings.STATIC_DIR,
  // A file has one server; of several nodes on one database each needs a name of its own.
  node: settings.NODE_NAME ?? (databaseUrl === undefined ? 'local' : randomUUID()),
  crashPoint: createCrashPoint(settings.CRASH_AT),
})
const { server, url } = await listen({
  ...{ fetch: runServer.app.fetch, port, host },
  maxConnections: settings.MAX_CONNECTIONS,
})
log.info({ url, model: name }, 'listening')

const shutDown = createShutdown({
  ...{ server, closeRuns: runServer.close, closeModel, log },
  setTimer: setNodeTimer,
  exit: (code) => process.exit(code),
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => shutDown(signal))
