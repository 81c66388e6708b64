import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { bundleScript } from '../server/support/bundleScript.ts'
import { runSoak } from './runSoak.ts'
import { reportSoak, type MemorySample } from './soakReport.ts'

/** `npm run soak`: so many runs at once for so long, each with a follower; prints what came of it and writes JSON. */
const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '200' },
    minutes: { type: 'string', default: '10' },
    rate: { type: 'string', default: '50' },
    tokens: { type: 'string', default: '3000' },
    gather: { type: 'string', default: '50' },
    out: { type: 'string', default: '.cache/soak.json' },
  },
})
const [runs, minutes, rate, tokens, gather] = (['runs', 'minutes', 'rate', 'tokens', 'gather'] as const).map((name) => {
  const value = Number(values[name])
  if (value > 0) return value
  throw new Error(`--${name} is "${values[name]}": give a number above 0.`)
}) as [number, number, number, number, number]
const databaseUrl = process.env.DATABASE_URL
const store = databaseUrl ? 'PostgreSQL' : 'SQLite'
// On the disk that the repository is on: a folder in memory would make commits look cheap.
mkdirSync('.cache', { recursive: true })
const folder = mkdtempSync(join(resolve('.cache'), 'soak-'))
const script = await bundleScript('soakServer', 'test/soak')

const child: ChildProcess = fork(script, {
  env: {
    ...process.env,
    ...{ NODE_ENV: 'production', SOAK_FILE: join(folder, 'runs.sqlite'), SOAK_DATABASE_URL: databaseUrl ?? '' },
    ...{ SOAK_RATE: String(rate), SOAK_GATHER_MS: String(gather) },
  },
})
const startedAt = Date.now()
const samples: MemorySample[] = []
const takeSample = async () => {
  child.send('memory')
  const [{ memory }] = (await once(child, 'message')) as [{ memory: Omit<MemorySample, 'seconds'> }]
  samples.push({ seconds: (Date.now() - startedAt) / 1000, ...memory })
}
try {
  const [{ url }] = (await once(child, 'message')) as [{ url: string }]
  console.log(`${runs} runs at ${rate} tokens/s for ${minutes} min on ${store}, gathered for ${gather} ms: ${url}`)
  await takeSample()
  const sampling = setInterval(() => void takeSample(), 5_000)
  const end = startedAt + minutes * 60_000
  const result = await runSoak({ url, runs, tokens, isOver: () => Date.now() >= end })
  clearInterval(sampling)
  const machine = { node: process.version, cores: cpus().length, processor: cpus()[0]?.model ?? 'unknown', store }
  const options = { runs, minutes, rate, tokens, gatherMs: gather }
  const report = reportSoak(result, samples)
  console.log(JSON.stringify({ machine, ...report }, undefined, 2))
  mkdirSync(dirname(resolve(values.out)), { recursive: true })
  writeFileSync(values.out, JSON.stringify({ machine, options, ...report, samples }, undefined, 2))
  if (result.faults.length > 0) process.exitCode = 1
} finally {
  if (child.connected) child.send('close')
  await once(child, 'exit')
  rmSync(folder, { recursive: true })
  rmSync(script, { force: true })
}
