import type { SoakResult } from './runSoak.ts'

/** One look at the server's memory, in bytes, so many seconds after the start. */
export interface MemorySample {
  seconds: number
  rss: number
  heapUsed: number
  external: number
  cpuMs: number
  stored: number
}

/** What a soak comes to. */
export interface SoakReport {
  result: SoakResult
  eventsPerSecond: number
  /** Of one core. */
  cpuShare: number
  memory: { startMb: number; secondQuarterMb: number; lastQuarterMb: number; peakMb: number; heapGrowthMb: number }
}

const megabyte = 1024 * 1024

/** Sums a soak up; memory is flat where the last quarter needs what the second one did. */
export function reportSoak(result: SoakResult, samples: readonly MemorySample[]): SoakReport {
  const [first, last] = [samples[0]!, samples[samples.length - 1]!]
  const seconds = Math.max(1, last.seconds - first.seconds)
  const quarter = (index: number) =>
    samples.slice(Math.floor((samples.length * index) / 4), Math.max(1, Math.ceil((samples.length * (index + 1)) / 4)))
  const median = (part: readonly MemorySample[], field: 'rss' | 'heapUsed') => {
    const values = part.map((sample) => sample[field]).sort((one, other) => one - other)
    return round(values[Math.floor(values.length / 2)]! / megabyte)
  }
  return {
    result,
    eventsPerSecond: round((last.stored - first.stored) / seconds),
    cpuShare: round((last.cpuMs - first.cpuMs) / (seconds * 1000)),
    memory: {
      startMb: round(first.rss / megabyte),
      secondQuarterMb: median(quarter(1), 'rss'),
      lastQuarterMb: median(quarter(3), 'rss'),
      peakMb: round(Math.max(...samples.map(({ rss }) => rss)) / megabyte),
      heapGrowthMb: round(median(quarter(3), 'heapUsed') - median(quarter(1), 'heapUsed')),
    },
  }
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}
