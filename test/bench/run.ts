import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { build } from 'esbuild'
import type { BenchResult } from './benchResult.ts'
import { sliceThere } from './sliceThere.ts'
import { targets, type Target } from './targets.ts'

/** Bundles the cases, runs each in a process of its own, prints the table and writes it as JSON. */
const folder = 'node_modules/.cache/bench'
type Mode = 'production' | 'development'
const bundleOf = (mode: Mode) => `${folder}/case.${mode}.mjs`
for (const mode of ['production', 'development'] as const) {
  await build({
    entryPoints: ['test/bench/case.ts'],
    outfile: bundleOf(mode),
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    // As an app's bundler fills it in; a host that is asked for its environment takes its time.
    define: { 'process.env.NODE_ENV': JSON.stringify(mode) },
    conditions: ['module', mode],
    external: ['jsdom'],
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
  })
}

function runCase(name: string, options: object, mode: Mode = 'production'): BenchResult {
  const args = [bundleOf(mode), name, JSON.stringify(options)]
  const env = { ...process.env, NODE_ENV: mode }
  const output = execFileSync(process.execPath, args, { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  return JSON.parse(output.trim().split('\n').at(-1)!) as BenchResult
}

const sizes = [1000, 5000, 20_000, 50_000]
const shorten = (value: number) => (value >= 100 ? value.toFixed(0) : value.toPrecision(3))
const rows: { what: string; target: Target; value: number; reached: boolean }[] = []

function report(what: string, target: Target, value: number) {
  const reached = value <= target.most
  rows.push({ what, target, value, reached })
  console.log(`${reached ? '  ok' : 'MISS'}  ${what}: ${shorten(value)} ${target.unit} (to reach: ≤ ${target.most})`)
}

function reportSizes(name: string, results: readonly BenchResult[]) {
  const cells = results.map(({ events, microseconds, floor }) => {
    const ratio = floor === undefined ? '' : `, floor ${shorten(floor)}, ${shorten(microseconds / floor)} ×`
    return `${events} events: ${shorten(microseconds)} µs${ratio}`
  })
  console.log(`\n${name}\n  ${cells.join('\n  ')}`)
}

const all: Record<string, BenchResult[]> = {}
const faster = (one: BenchResult, other: BenchResult) => (other.microseconds < one.microseconds ? other : one)
// There and back, as a shared machine has slow seconds.
const measureAll = (key: string, name: string, run: (deltas: number) => BenchResult) => {
  const there = sizes.map(run)
  const back = sizes.toReversed().map(run).reverse()
  const results = there.map((result, index) => faster(result, back[index]!))
  all[key] = results
  reportSizes(name, results)
  return results
}
// In one process and in turn: of two, one may have met a slow minute.
const ratio = ({ microseconds, floor }: BenchResult) => microseconds / floor!
const ends = [sizes[0]!, sizes.at(-1)!] as const
const storeGrowth = (options: object) =>
  ratio(runCase('storeRatio', { pair: ends.map((deltas) => ({ ...options, deltas })) }))

console.log(`Node ${process.version}, ${cpus().length} cores, ${cpus()[0]?.model ?? 'unknown'}`)

const replays = measureAll('replay', '(c) replay in one batch', (deltas) => runCase('replay', { deltas }))
report('(c) replay beside the mutable fold', targets.replay, Math.max(...replays.map((r) => r.microseconds / r.floor!)))
report('(c) growth from 1k to 50k', targets.replayGrowth, ratio(runCase('replayGrowth', { sizes: ends })))

const batches = measureAll('store', '(a) store, batches of 50', (deltas) => runCase('store', { deltas, size: 50 }))
report('(a) an event', targets.store, Math.max(...batches.map((r) => r.microseconds)))
report('(a) growth from 1k to 50k', targets.storeGrowth, storeGrowth({ size: 50 }))
// Of one run, as the end of each costs what is settled already, once: it is what a batch costs that is asked for.
const settled = runCase('storeRatio', {
  pair: [10, 5000].map((count) => ({ deltas: 20_000, size: 50, settled: count, isOneRun: true })),
})
all.settled = [settled]
report('(a) with 5,000 settled entities beside 10', targets.settled, ratio(settled))
const development = runCase('store', { deltas: 5000, size: 50, settled: 1000 }, 'development')
all.development = [development]
report("(a) in development, all of RTK's checks, 1,000 settled", targets.development, development.microseconds)

const oneByOne = { size: 1, settled: 5000, active: 100, besideSlice: true }
const single = measureAll('single', '(b) one event a dispatch, 100 active, 5,000 settled; floor: createSlice with nothing else in it', (deltas) =>
  runCase('store', { deltas, ...oneByOne }),
)
report('(b) an event', targets.single, Math.max(...single.map((r) => r.microseconds)))
report('(b) growth from 1k to 50k', targets.singleGrowth, storeGrowth(oneByOne))
// Not to be reached, but known: what all entities of a run that never ends cost.
const long = runCase('store', { deltas: 50_000, ...oneByOne, isOneRun: true })
all.long = [long]
const ofLong = `${shorten(long.microseconds)} µs, floor ${shorten(long.floor!)}`
console.log(`      the 50k in one running run of 450 entities: ${ofLong}`)

const streams = measureAll('bytes', '(d) SSE bytes to state', (deltas) => runCase('bytes', { deltas }))
// Validation is the same with and without `unsafe-eval`: zod/mini has no JIT, so that one figure answers for both.
report('(d) beside parsing alone, at 20k', targets.bytes, streams[2]!.microseconds / streams[2]!.floor!)

const endpoint = runCase('endpoint', { deltas: 20_000 })
all.endpoint = [endpoint]
report('(e) actions of 20k deltas through an endpoint, all ids UUIDs', targets.actions, endpoint.extra!.megabytes!)
const { patchedMegabytes } = endpoint.extra!
console.log(`      updateCachedData once a delta: ${shorten(patchedMegabytes!)} MB`)

const kept = runCase('checkpoint', { deltas: 20_000 })
all.checkpoint = [kept]
report('Checkpoint, 20k events at 100 a second: saving, of the time', targets.saving, kept.extra!.partOfStream! * 100)
report('Checkpoint: writes a second, apart from the forced ones', targets.writes, kept.extra!.writesASecond!)

const runReact = (isPlain: boolean) => runCase('react', { deltas: 5000, isPlain })
const pages = [runReact(false), runReact(true), runReact(true), runReact(false)] as const
const react = faster(pages[0], pages[3])
const plainList = faster(pages[1], pages[2])
all.react = [react, plainList]
report('React, 200 messages: a delta', targets.react, react.microseconds)
console.log(`      a list of what createSlice makes of the same batches: ${shorten(plainList.microseconds)} µs`)
const worst = (figure: string) => Math.max(pages[0].extra![figure]!, pages[3].extra![figure]!)
report('React: renders of the other 199', targets.otherRenders, worst('otherRenders'))
report('React: commits a batch', targets.commits, worst('commitsPerBatch'))

// What is to be reached in microseconds was set on another machine, and a shared one is not every minute the same.
const slowness = single[2]!.floor! / sliceThere
const there = rows.filter(({ target }) => target.unit === 'µs')
console.log(`\ncreateSlice, one event a dispatch, at 20k: ${shorten(slowness)} × what it took where the figures were set. There:`)
for (const { what, value } of there) console.log(`      ${what}: ${shorten(value / slowness)} µs`)

mkdirSync(folder, { recursive: true })
writeFileSync(`${folder}/results.json`, `${JSON.stringify({ node: process.version, rows, all }, null, 2)}\n`)
console.log(`\n${rows.filter((row) => row.reached).length} of ${rows.length} reached; all figures in ${folder}/results.json`)
