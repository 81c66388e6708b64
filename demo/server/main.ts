import { randomUUID } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { join, resolve } from 'node:path'
import { createModelClient, type ModelClient } from './chat/createModelClient.ts'
import { createCrashPoint } from './createCrashPoint.ts'
import { createRunServer } from './createRunServer.ts'
import { listen } from './listen.ts'
import { createLocalModelApp } from './model/createLocalModelApp.ts'
import { readSessionSecret } from './readSessionSecret.ts'
import { openStore } from './store/openStore.ts'

const hostname = process.env.HOST ?? '127.0.0.1'
const port = Number(process.env.PORT ?? 8787)
const dataFolder = resolve(process.env.DATA_DIR ?? fileURLToPath(new URL('../../.data', import.meta.url)))

/** A list of the environment, its entries parted by commas. */
const readList = (text = '') => text.split(',').flatMap((entry) => (entry.trim() === '' ? [] : [entry.trim()]))

/** The service of the environment, or without a key the local model, which speaks the same wire. */
async function connectModel(): Promise<{ model: ModelClient; name: string; close(): void }> {
  const apiKey = process.env.OPENAI_API_KEY
  if (apiKey) {
    const model = createModelClient({ apiKey, baseURL: process.env.OPENAI_BASE_URL })
    return { model, name: process.env.MODEL ?? 'gpt-4.1-mini', close: () => undefined }
  }
  const tokenDelayMs = Number(process.env.TOKEN_DELAY_MS ?? 15)
  const { fetch } = createLocalModelApp({ tokenDelayMs })
  const { server, url } = await listen({ fetch, port: 0, host: '127.0.0.1' })
  const getThinkingParameters = (enabled: boolean) => ({ enable_thinking: enabled })
  const model = createModelClient({ apiKey: 'local', baseURL: `${url}/v1`, getThinkingParameters })
  return { model, name: 'local', close: () => void server.close() }
}

mkdirSync(dataFolder, { recursive: true, mode: 0o700 })
const { model, name, close: closeModel } = await connectModel()
const runServer = await createRunServer({
  model,
  defaultModel: name,
  models: readList(process.env.MODELS),
  allowedHosts: [hostname, ...readList(process.env.ALLOWED_HOSTS)],
  maxRunningRuns: process.env.MAX_RUNNING_RUNS ? Number(process.env.MAX_RUNNING_RUNS) : undefined,
  store: await openStore({ databaseUrl: process.env.DATABASE_URL, path: join(dataFolder, 'run-server.sqlite') }),
  sessionSecret: readSessionSecret(join(dataFolder, 'session-secret')),
  staticFolder: process.env.STATIC_DIR,
  // A file has one server; of several nodes on one database each needs a name of its own.
  node: process.env.NODE_NAME ?? (process.env.DATABASE_URL ? randomUUID() : 'local'),
  crashPoint: createCrashPoint(process.env.CRASH_AT),
})
const { server, url } = await listen({ fetch: runServer.app.fetch, port, host: hostname })
console.log(`Run server: ${url} (model: ${name})`)

let isClosing = false
const close = async () => {
  if (isClosing) return
  isClosing = true
  server.close()
  await runServer.close()
  closeModel()
  process.exit(0)
}
process.on('SIGINT', () => void close())
process.on('SIGTERM', () => void close())
