import { replayAgentEvents, type AgentEvent } from 'redux-agent'
import { createRunsScript } from '../createRunsScript.ts'
import { createTask } from '../createTask.ts'
import { measure } from '../measure.ts'
import { mutableFold } from '../mutableFold.ts'
import type { BenchResult } from '../benchResult.ts'

const fold = (events: AgentEvent[]) => replayAgentEvents(events)

/**
 * (c) Replay in one batch, beside the mutable fold. Each run gets a log of its own that was parsed just before, as an
 * app's is: objects that were folded before are warmer, and V8 has made one of their equal strings.
 */
export async function replay(deltas: number): Promise<BenchResult> {
  const { events, taskOf } = createLog(deltas)
  const [floor, own] = await measure([taskOf(mutableFold), taskOf(fold)])
  const perEvent = 1000 / events
  return { events, microseconds: own! * perEvent, floor: floor! * perEvent }
}

/** What an event of a long replay costs, and as floor, what one of a short one does; in turn, in one process. */
export async function replayGrowth(sizes: readonly [number, number]): Promise<BenchResult> {
  const [short, long] = [createLog(sizes[0]), createLog(sizes[1])]
  const [ofShort, ofLong] = await measure([short.taskOf(fold), long.taskOf(fold)], { minTime: 3000 })
  return { events: long.events, microseconds: (ofLong! * 1000) / long.events, floor: (ofShort! * 1000) / short.events }
}

function createLog(deltas: number) {
  const log = JSON.stringify(createRunsScript({ deltas }))
  const prepare = () => JSON.parse(log) as AgentEvent[]
  const repeats = Math.max(1, Math.round(50_000 / deltas))
  return {
    events: prepare().length,
    taskOf: (run: (events: AgentEvent[]) => unknown) => createTask({ prepare, run, repeats }),
  }
}
