import type { AgentEvent } from 'redux-agent'
import { createLoadedStore, toBatches } from '../createLoadedStore.ts'
import { createRunsScript } from '../createRunsScript.ts'
import { createScript } from '../createScript.ts'
import { createSliceStore } from '../createSliceStore.ts'
import { measure } from '../measure.ts'
import type { BenchResult } from '../benchResult.ts'

const minRuns = 12

/** What a store is told, and what it holds. */
export interface StoreOptions {
  deltas: number
  size: number
  settled?: number
  active?: number
  besideSlice?: boolean
  isOneRun?: boolean
}

/** (a) A real store in batches, and (b) one event a dispatch (`size` 1), in turn with RTK's `createSlice` if asked. */
export async function store(options: StoreOptions): Promise<BenchResult> {
  const { events, tellOurs, tellSlice } = createTelling(options)
  const [own, slice] = await measure(options.besideSlice ? [tellOurs, tellSlice] : [tellOurs], { minRuns })
  const perEvent = 1000 / events
  return { events, microseconds: own! * perEvent, ...(slice && { floor: slice * perEvent }) }
}

/** What an event costs in one case, and as floor, what it does in another; in turn, in one process. */
export async function storeRatio(pair: readonly [StoreOptions, StoreOptions]): Promise<BenchResult> {
  const [base, own] = [createTelling(pair[0]), createTelling(pair[1])]
  const [ofBase, ofOwn] = await measure([base.tellOurs, own.tellOurs], { minRuns })
  return { events: own.events, microseconds: (ofOwn! * 1000) / own.events, floor: (ofBase! * 1000) / base.events }
}

function createTelling({ deltas, size, settled = 0, active = 0, isOneRun = false }: StoreOptions) {
  const script = (isOneRun ? createScript : createRunsScript)({ deltas, ends: false })
  // Each batch is parsed just before it is told, as one of a wire is; only the telling is measured.
  const batches = toBatches(script, size).map((batch) => JSON.stringify(batch))
  function tell({ receive }: { receive: (events: readonly AgentEvent[]) => void }) {
    let spent = 0
    for (const batch of batches) {
      const events = JSON.parse(batch) as AgentEvent[]
      const start = performance.now()
      receive(events)
      spent += performance.now() - start
    }
    return spent
  }
  const preloadedState = createLoadedStore({ settled, active }).store.getState()
  // Samples of some 10 ms at least.
  const repeats = Math.max(1, Math.round((400 * size) / deltas))
  const repeat = (run: () => number) => () => {
    let sum = 0
    for (let done = 0; done < repeats; done += 1) sum += run()
    return sum / repeats
  }
  return {
    events: script.length,
    tellOurs: repeat(() => tell(createLoadedStore({ preloadedState }))),
    tellSlice: repeat(() => tell(createSliceStore())),
  }
}
