import type { EventRow, RunRow, ToolCallStatus } from '../store/rows.ts'

/** How a run came to be worked on here. */
export type RunTaking = 'started' | 'resumed' | 'recovered'

/** Is told what happens to runs, for logs and metrics; it must not throw, and what it is given it must not change. */
export interface RunObserver {
  /** Work on a run begins here, under this epoch. */
  runTaken?(run: RunRow, options: { taking: RunTaking; epoch: number }): void
  /** Events are stored and committed; `durationMs` is what that took. */
  eventsStored?(runId: string, rows: readonly EventRow[], durationMs: number): void
  toolEnded?(options: { runId: string; toolCallId: string; name: string; status: ToolCallStatus }): void
  runInterrupted?(runId: string, reason: string): void
  /** Another node works on it now, or nobody: this one has stopped. */
  leaseLost?(runId: string): void
  /** Something went wrong that nobody foresaw; it may speak of secrets, which must not be stored or shown. */
  failed?(error: unknown, context: { runId?: string; seq?: number }): void
}
