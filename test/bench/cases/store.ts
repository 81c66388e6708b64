import type { AgentEvent } from 'redux-agent'
import { createLoadedStore, toBatches } from '../createLoadedStore.ts'
import { createScript } from '../createScript.ts'
import { measure } from '../measure.ts'
import type { BenchResult } from '../benchResult.ts'

/** (a) A real store in batches, and (b) one event a dispatch (`size` 1). */
export async function store(options: {
  deltas: number
  size: number
  settled?: number
  active?: number
}): Promise<BenchResult> {
  const { deltas, size, settled = 0, active = 0 } = options
  const script = createScript({ deltas, ends: false })
  // Each batch is parsed just before it is told, as one of a wire is; only the telling is measured.
  const batches = toBatches(script, size).map((batch) => JSON.stringify(batch))
  const [own] = await measure(
    [
      ({ receive }: ReturnType<typeof createLoadedStore>) => {
        let spent = 0
        for (const batch of batches) {
          const events = JSON.parse(batch) as AgentEvent[]
          const start = performance.now()
          receive(events)
          spent += performance.now() - start
        }
        return spent
      },
    ],
    {
      prepare: () => createLoadedStore({ settled, active }),
      // Samples of some 10 ms at least.
      repeats: Math.max(1, Math.round((400 * size) / deltas)),
      minRuns: 12,
    },
  )
  return { events: script.length, microseconds: (own! * 1000) / script.length }
}
