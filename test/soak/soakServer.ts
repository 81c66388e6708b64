// The run server of a soak, in a process of its own; it tells its parent its address, and its memory when it is asked.
import { createRunServer } from '../../demo/server/createRunServer.ts'
import { listen } from '../../demo/server/listen.ts'
import { createMetrics } from '../../demo/server/ops/createMetrics.ts'
import { measureStore } from '../../demo/server/ops/measureStore.ts'
import { openStore } from '../../demo/server/store/openStore.ts'
import { createPacedModel } from './createPacedModel.ts'

const { SOAK_FILE = '', SOAK_DATABASE_URL, SOAK_RATE, SOAK_GATHER_MS } = process.env
const metrics = createMetrics()
let stored = 0
const opened = await openStore({ databaseUrl: SOAK_DATABASE_URL, path: SOAK_FILE })
const server = await createRunServer({
  model: createPacedModel({ tokensPerSecond: Number(SOAK_RATE) }),
  store: measureStore(opened, { metrics, onStored: (rows) => void (stored += rows.length) }),
  metrics,
  gatherMs: Number(SOAK_GATHER_MS),
  maxNewcomers: 100_000,
  rateLimits: { address: { burst: 100_000, perSecond: 10_000 } },
})
const { fetch } = server.app
const { url, server: http } = await listen({ fetch, port: 0, host: '127.0.0.1', maxConnections: 20_000 })
const getMemory = () => {
  const { rss, heapUsed, external } = process.memoryUsage()
  const { user, system } = process.cpuUsage()
  return { rss, heapUsed, external, cpuMs: (user + system) / 1000, stored }
}
process.on('message', (message) => {
  if (message === 'memory') process.send!({ memory: getMemory() })
  if (message !== 'close') return
  http.close()
  void server.close().then(() => process.exit(0))
})
// Whoever started it is gone.
process.on('disconnect', () => process.exit(1))
process.send!({ url })
