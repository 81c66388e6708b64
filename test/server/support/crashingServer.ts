// A run server in a process of its own, which dies where CRASH_AT says.
import { createCrashPoint } from '../../../demo/server/createCrashPoint.ts'
import { createRunServer } from '../../../demo/server/createRunServer.ts'
import { listen } from '../../../demo/server/listen.ts'
import { openStore } from '../../../demo/server/store/openStore.ts'
import { createLyingNotice, createNoticeModel, createSendNotice } from './noticeScenario.ts'

const { CRASH_AT, DATABASE_URL, STORE_FILE = '', EFFECTS_FILE = '', NODE_NAME = 'local' } = process.env
const server = await createRunServer({
  model: createNoticeModel(),
  tools: [CRASH_AT === 'lie' ? createLyingNotice(EFFECTS_FILE, { dies: true }) : createSendNotice(EFFECTS_FILE)],
  store: await openStore({ databaseUrl: DATABASE_URL, path: STORE_FILE }),
  sessionSecret: 'same',
  gatherMs: 0,
  checkpointLength: 10,
  leaseMs: Number(process.env.LEASE_MS ?? 15_000),
  node: NODE_NAME,
  crashPoint: createCrashPoint(CRASH_AT === 'lie' ? undefined : CRASH_AT),
})
const { url } = await listen({ fetch: server.app.fetch, port: 0, host: '127.0.0.1' })
console.log(url)
