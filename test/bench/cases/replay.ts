import { replayAgentEvents, type AgentEvent } from 'redux-agent'
import { createRunsScript } from '../createRunsScript.ts'
import { measure } from '../measure.ts'
import { mutableFold } from '../mutableFold.ts'
import type { BenchResult } from '../benchResult.ts'

/**
 * (c) Replay in one batch, beside the mutable fold. Each run gets a log of its own that was parsed just before, as an
 * app's is: objects that were folded before are warmer, and V8 has made one of their equal strings.
 */
export async function replay(deltas: number): Promise<BenchResult> {
  const log = JSON.stringify(createRunsScript({ deltas }))
  const parse = () => JSON.parse(log) as AgentEvent[]
  const { length } = parse()
  const [floor, own] = await measure([mutableFold, (events: AgentEvent[]) => replayAgentEvents(events)], {
    prepare: parse,
    repeats: Math.max(1, Math.round(50_000 / deltas)),
  })
  const perEvent = 1000 / length
  return { events: length, microseconds: own! * perEvent, floor: floor! * perEvent }
}
