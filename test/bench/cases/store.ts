import { createLoadedStore, toBatches } from '../createLoadedStore.ts'
import { createScript } from '../createScript.ts'
import { measure, undisturbed } from '../measure.ts'
import type { BenchResult } from '../benchResult.ts'

/** (a) A real store in batches, and (b) one event a dispatch (`size` 1). */
export async function store(options: {
  deltas: number
  size: number
  settled?: number
  active?: number
}): Promise<BenchResult> {
  const { deltas, size, settled = 0, active = 0 } = options
  const batches = toBatches(createScript({ deltas, ends: false }), size)
  const count = batches.flat().length
  // Making the store is not what is measured: only the time within the loop counts.
  const times: number[] = []
  const rounds = Math.max(1, Math.round(20_000 / deltas))
  const task = () => {
    let spent = 0
    for (let round = 0; round < rounds; round += 1) {
      const { receive } = createLoadedStore({ settled, active })
      const start = performance.now()
      for (const batch of batches) receive(batch)
      spent += performance.now() - start
    }
    times.push(spent / rounds)
  }
  await measure([task], { minRuns: 12 })
  return { events: count, microseconds: (undisturbed(times) * 1000) / count }
}
