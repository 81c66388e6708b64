import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createSqliteStore } from '../../demo/server/store/sqlite/createSqliteStore.ts'
import { createLatencies } from '../soak/createLatencies.ts'
import { createPacedModel } from '../soak/createPacedModel.ts'
import { runSoak } from '../soak/runSoak.ts'
import { reportSoak } from '../soak/soakReport.ts'
import { createOpsProbe } from './support/createOpsProbe.ts'
import { startTestServer } from './support/startTestServer.ts'

// The short form of `npm run soak`: nobody waits here for a clock, so that it says nothing of times.
describe('many runs at once, with a follower each', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'run-server-soak-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  it('give each follower a dense log with nothing lost, across a cut, and leave no memory behind', async () => {
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc') as () => void
    const probe = createOpsProbe({ store: createSqliteStore(join(folder, 'runs.sqlite')) })
    const server = await startTestServer({ ...probe.serverOptions, model: createPacedModel(), gatherMs: 1 })
    const round = async () => {
      const result = await runSoak({ url: server.url, runs: 20, tokens: 120, isOver: () => true })
      probe.lines.length = 0
      collect()
      return { result, heap: process.memoryUsage().heapUsed }
    }
    const rounds = [await round(), await round(), await round()]
    for (const { result } of rounds) {
      expect(result.faults).toEqual([])
      expect(result.runs).toBe(20)
      // Each line was cut once, after some events and before the end.
      expect(result.reconnects).toBe(result.runs)
      expect(result.latency.count).toBeGreaterThan(100)
    }
    const metrics = await probe.metrics.print()
    expect(metrics).toContain('redux_agent_followers 0')
    // Twenty runs more need nothing more: what ended is let go of.
    expect(rounds[2]!.heap - rounds[1]!.heap).toBeLessThan(8 * 1024 * 1024)
    await server.close()
  })

  it('are told of where a follower misses something (negative control)', async () => {
    const store = createSqliteStore(':memory:')
    // A server that skips one event for whoever comes back to its log.
    const skipping = {
      ...store,
      glance: ((work) =>
        store.glance((transaction) =>
          work({
            ...transaction,
            events: {
              ...transaction.events,
              list: async (query) => (await transaction.events.list(query)).filter(({ seq }) => seq !== 6),
            },
          }),
        )) as typeof store.glance,
    }
    const server = await startTestServer({ store: skipping, model: createPacedModel(), gatherMs: 0 })
    const { faults } = await runSoak({ url: server.url, runs: 1, tokens: 100, isOver: () => true })
    expect(faults).toEqual([expect.stringMatching(/: 7 came after 5\.$/)])
    await server.close()
  })
})

describe('the figures of a soak', () => {
  it('are exact quantiles, however many there are', () => {
    const latencies = createLatencies()
    expect(latencies.quantile(0.5)).toBe(0)
    for (let value = 1; value <= 1000; value += 1) latencies.add(value)
    expect([0.5, 0.9, 0.99, 1].map(latencies.quantile)).toEqual([500, 900, 990, 1000])
    latencies.add(1e9)
    expect(latencies.quantile(1)).toBe(60_000)
    expect(latencies.count()).toBe(1001)
  })

  it('tell a memory that grows from one that does not', () => {
    const latency = { p50: 1, p90: 1, p99: 1, p999: 1, max: 1, count: 1 }
    const result = { runs: 1, events: 1, reconnects: 0, latency, faults: [] }
    const sample = (seconds: number, megabytes: number) => ({
      ...{ seconds, rss: megabytes * 1024 * 1024, heapUsed: megabytes * 1024 * 1024, external: 0 },
      ...{ cpuMs: seconds * 500, stored: seconds * 100 },
    })
    const seconds = Array.from({ length: 41 }, (_, index) => index * 5)
    const flat = reportSoak(result, seconds.map((at) => sample(at, at < 20 ? 50 : 120)))
    expect(flat).toMatchObject({ eventsPerSecond: 100, cpuShare: 0.5 })
    expect(flat.memory).toEqual({ startMb: 50, secondQuarterMb: 120, lastQuarterMb: 120, peakMb: 120, heapGrowthMb: 0 })
    const growing = reportSoak(result, seconds.map((at) => sample(at, 100 + at)))
    expect(growing.memory.heapGrowthMb).toBeGreaterThan(90)
  })
})
