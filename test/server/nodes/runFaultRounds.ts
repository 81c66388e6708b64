import { startCluster } from './createCluster.ts'
import type { FaultKind } from './createFaults.ts'
import { playRound } from './playRound.ts'

/** What a loop of faults came to. */
export interface FaultReport {
  seed: number
  runs: number
  events: number
  /** Tool calls of which nobody knew whether they were done, until the person had looked. */
  unknowns: number
  /** Answers to commands that arrived. */
  commands: number
  faults: Partial<Record<FaultKind, number>>
  /** How often a node took up what another, or itself before it died, had left. */
  takeOvers: number
  /** How often a node was told that a run is another's. */
  refusals: number
  /** How long after a round's last fault its last run ended, at most, in milliseconds. */
  settledMs: number
}

const runsPerRound = 20
/** Long enough for a machine that is busy with other tests, and short enough to be waited for. */
const leaseMs = 2_000

/**
 * Has two run servers on one PostgreSQL carry out runs while they are killed, frozen and cut off, in rounds of 20 runs,
 * and checks after each what everybody saw and was told. The tests play one round; `npm run soak:nodes` plays ten.
 *
 * @throws Error that names the seed of the round and says what did not hold.
 */
export async function runFaultRounds(options: {
  seed: number
  runs: number
  /** Told after each round. */
  onRound?(report: FaultReport): void
}): Promise<FaultReport> {
  const { seed, runs, onRound } = options
  const report: FaultReport = {
    ...{ seed, runs: 0, events: 0, unknowns: 0, commands: 0, faults: {}, takeOvers: 0, refusals: 0, settledMs: 0 },
  }
  const cluster = await startCluster({ leaseMs, paceMs: 4 })
  let roundSeed = seed
  try {
    while (report.runs < runs) {
      const count = Math.min(runsPerRound, runs - report.runs)
      const round = await playRound(cluster, { seed: roundSeed, runs: count })
      for (const kind of round.faults) report.faults[kind] = (report.faults[kind] ?? 0) + 1
      report.runs += count
      report.events += round.events
      report.unknowns += round.unknowns
      report.commands += round.commands
      report.settledMs = Math.max(report.settledMs, round.settledMs)
      Object.assign(report, cluster.count())
      onRound?.({ ...report })
      roundSeed += 1
    }
  } catch (cause) {
    const text = cause instanceof Error ? cause.message : String(cause)
    throw new Error(`With seed ${roundSeed}: ${text}\n\nWhat happened before:\n${cluster.readJournal()}`, { cause })
  } finally {
    await cluster.close()
  }
  return report
}
