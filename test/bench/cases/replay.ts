import { replayAgentEvents } from 'redux-agent'
import { createScript } from '../createScript.ts'
import { measure, repeat } from '../measure.ts'
import { mutableFold } from '../mutableFold.ts'
import type { BenchResult } from '../benchResult.ts'

/** (c) Replay in one batch, beside the mutable fold of the same objects. */
export async function replay(deltas: number): Promise<BenchResult> {
  const events = createScript({ deltas })
  const times = Math.max(1, Math.round(50_000 / deltas))
  const perEvent = 1000 / times / events.length
  const [floor, own] = await measure([
    repeat(times, () => mutableFold(events)),
    repeat(times, () => replayAgentEvents(events)),
  ])
  return { events: events.length, microseconds: own! * perEvent, floor: floor! * perEvent }
}
