// The long form of the fault loop, `npm run soak:nodes -- --runs 200 --seed 1`; the short one is nodes.test.ts. Whoever
// puts a soak together calls runFaultRounds, as this does.
import { parseArgs } from 'node:util'
import { runFaultRounds } from './runFaultRounds.ts'

const { values } = parseArgs({
  options: { runs: { type: 'string', default: '200' }, seed: { type: 'string', default: `${Date.now() % 1_000_000}` } },
})
const startedAt = Date.now()
await runFaultRounds({
  seed: Number(values.seed),
  runs: Number(values.runs),
  onRound: (report) => console.log(`${((Date.now() - startedAt) / 1000).toFixed(0)} s ${JSON.stringify(report)}`),
})
// What the clients hold open, such as their waits, is of no use any more.
process.exit()
