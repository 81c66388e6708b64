/** What a case measured. */
export interface BenchResult {
  events: number
  /** Microseconds an event. */
  microseconds: number
  /** What the case is compared with, in microseconds an event. */
  floor?: number
  /** Further figures of the case. */
  extra?: Record<string, number>
}
