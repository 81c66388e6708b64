import type { AgentEvent } from 'redux-agent'
import { createLoadedStore, toBatches } from '../createLoadedStore.ts'
import { createRunsScript } from '../createRunsScript.ts'
import { createScript } from '../createScript.ts'
import { createSliceStore } from '../createSliceStore.ts'
import { measure } from '../measure.ts'
import type { BenchResult } from '../benchResult.ts'

/** (a) A real store in batches, and (b) one event a dispatch (`size` 1), in turn with RTK's `createSlice` if asked. */
export async function store(options: {
  deltas: number
  size: number
  settled?: number
  active?: number
  besideSlice?: boolean
  isOneRun?: boolean
}): Promise<BenchResult> {
  const { deltas, size, settled = 0, active = 0, besideSlice = false, isOneRun = false } = options
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
  const tellOurs = () => tell(createLoadedStore({ preloadedState }))
  const tellSlice = () => tell(createSliceStore())
  const [own, slice] = await measure(besideSlice ? [tellOurs, tellSlice] : [tellOurs], {
    prepare: () => undefined,
    // Samples of some 10 ms at least.
    repeats: Math.max(1, Math.round((400 * size) / deltas)),
    minRuns: 12,
  })
  const perEvent = 1000 / script.length
  return { events: script.length, microseconds: own! * perEvent, ...(slice && { floor: slice * perEvent }) }
}
