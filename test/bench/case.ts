import { bytes } from './cases/bytes.ts'
import { checkpoint } from './cases/checkpoint.ts'
import { endpoint } from './cases/endpoint.ts'
import { react } from './cases/react.ts'
import { replay, replayGrowth } from './cases/replay.ts'
import { store, storeRatio, type StoreOptions } from './cases/store.ts'

// One case a process: the heap and the compiler's knowledge of one must not weigh on the next.
const [name, json = '{}'] = process.argv.slice(2)
const options = JSON.parse(json) as StoreOptions & { sizes: [number, number]; pair: [StoreOptions, StoreOptions]; isPlain?: boolean }
const cases = {
  replay: () => replay(options.deltas),
  replayGrowth: () => replayGrowth(options.sizes),
  store: () => store(options),
  storeRatio: () => storeRatio(options.pair),
  bytes: () => bytes(options.deltas),
  checkpoint: () => checkpoint(options.deltas),
  endpoint: () => endpoint(options.deltas),
  react: () => react(options),
}
const run = cases[name as keyof typeof cases]
if (!run) throw new Error(`There is no case "${name}".`)
console.log(JSON.stringify(await run()))
