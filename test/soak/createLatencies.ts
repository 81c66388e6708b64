/** Milliseconds, each counted, so that a soak of hours costs no more memory than one of seconds. */
export interface Latencies {
  add(milliseconds: number): void
  /** The least that so large a part of them does not exceed; 0 where there is none. */
  quantile(part: number): number
  count(): number
}

const most = 60_000

/** Makes a count; what is longer than a minute counts as a minute. */
export function createLatencies(): Latencies {
  const counts = new Uint32Array(most + 1)
  let total = 0
  return {
    add(milliseconds) {
      counts[Math.min(most, Math.max(0, Math.round(milliseconds)))]! += 1
      total += 1
    },
    quantile(part) {
      let left = total * part
      for (let value = 0; value <= most; value += 1) {
        left -= counts[value]!
        if (left <= 0) return total === 0 ? 0 : value
      }
      return most
    },
    count: () => total,
  }
}
