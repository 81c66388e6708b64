import { randomUUID } from 'node:crypto'
import { Agent } from 'node:http'
import { createLatencies } from './createLatencies.ts'
import { becomeOwner, followRun } from './followRun.ts'

export interface SoakOptions {
  url: string
  /** How many runs are under way at once, each with a follower and an owner of its own. */
  runs: number
  /** How many tokens a run has. */
  tokens: number
  /** Whether a run is followed by another one in its place. */
  isOver(): boolean
  now?(): number
}

/** What the followers saw, in milliseconds from an event's place in the log to its frame at the follower. */
export interface SoakResult {
  runs: number
  events: number
  reconnects: number
  latency: { p50: number; p90: number; p99: number; p999: number; max: number; count: number }
  /** What went wrong, each thing once; empty where nothing was lost, doubled or out of turn. */
  faults: string[]
}

/**
 * Keeps so many runs under way until it is over, and then lets the last ones end. The first runs are of different
 * lengths, so that they do not all end at once; each follower loses its line once, and goes on from its cursor.
 */
export async function runSoak({ url, runs, tokens, isOver, now = Date.now }: SoakOptions): Promise<SoakResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: Infinity })
  const latencies = createLatencies()
  const faults = new Set<string>()
  const total = { runs: 0, events: 0, reconnects: 0 }

  const live = async (slot: number) => {
    const cookie = await becomeOwner(url, agent)
    for (let turn = 0; turn === 0 || !isOver(); turn += 1) {
      const length = turn === 0 ? Math.ceil(tokens * (0.5 + slot / runs / 2)) : tokens
      const seen = await followRun({
        ...{ url, agent, cookie, tokens: length },
        conversationId: randomUUID(),
        cutAfter: 10 + (slot % 20),
        onLive: ({ createdAt }) => latencies.add(now() - createdAt),
      })
      total.runs += 1
      total.events += seen.events
      total.reconnects += seen.reconnects
    }
  }
  const slots = Array.from({ length: runs }, (_, slot) =>
    live(slot).catch((error: unknown) => void faults.add(error instanceof Error ? error.message : String(error))),
  )
  await Promise.all(slots)
  agent.destroy()
  const { quantile } = latencies
  const latency = {
    ...{ p50: quantile(0.5), p90: quantile(0.9), p99: quantile(0.99), p999: quantile(0.999), max: quantile(1) },
    count: latencies.count(),
  }
  return { ...total, latency, faults: [...faults] }
}
