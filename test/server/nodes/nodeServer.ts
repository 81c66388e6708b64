// One of several run servers on one PostgreSQL, in a process of its own. It says line by line what happens to it.
import { createRunServer } from '../../../demo/server/createRunServer.ts'
import { listen } from '../../../demo/server/listen.ts'
import { createPostgresStore } from '../../../demo/server/store/postgres/createPostgresStore.ts'
import { createFaultModel, createSlowNotice } from './faultScenario.ts'
import type { NodeLine } from './nodeLine.ts'

const { DATABASE_URL = '', EFFECTS_FILE = '', NODE_NAME, LEASE_MS, PACE_MS } = process.env
const paceMs = Number(PACE_MS)
const tell = (line: NodeLine) => console.log(JSON.stringify(line))
const many = { burst: 1_000_000, perSecond: 1_000_000 }
const server = await createRunServer({
  model: createFaultModel({ paceMs }),
  tools: [createSlowNotice(EFFECTS_FILE, { paceMs })],
  // What a frozen node holds on to is let go of before its leases end, so that a round does not wait for it.
  store: await createPostgresStore({ connectionString: DATABASE_URL, maxIdleMs: Number(LEASE_MS) / 2 }),
  sessionSecret: 'same',
  gatherMs: 5,
  checkpointLength: 40,
  leaseMs: Number(LEASE_MS),
  node: NODE_NAME,
  // Whoever tests faults is no stranger who asks too much, and no run is given up before the faults are over.
  rateLimits: { address: many, owner: many, writing: many },
  maxRunningRuns: 1_000,
  maxStreams: 10_000,
  recovery: { maxRecoveries: 1_000, maxIdleRecoveries: 1_000 },
  observer: {
    runTaken: ({ runId }, { taking, epoch }) => tell({ type: 'taken', runId, taking, epoch }),
    leaseLost: (runId) => tell({ type: 'lost', runId }),
    failed: (error, { runId }) => tell({ type: 'failed', runId, ...describe(error) }),
  },
})
const { url } = await listen({ fetch: server.app.fetch, port: 0, host: '127.0.0.1' })
tell({ type: 'listening', port: Number(new URL(url).port) })

function describe(error: unknown): { name: string; text: string } {
  if (!(error instanceof Error)) return { name: 'unknown', text: String(error) }
  const { cause, stack, name } = error
  return { name, text: cause instanceof Error ? `${stack}\ncaused by ${cause.stack}` : String(stack) }
}
