import { waitForRun } from './waitForRun.ts'
import type { RunContext } from './runContext.ts'

/** Holds the run after a retryable failure; gives the next attempt's id, or undefined when nobody asked in time. */
export async function holdForRetry(context: RunContext, toolCallId: string): Promise<string | undefined> {
  const { services, run, recorder, signal } = context
  const { store, signals, setTimer, now } = services
  const { runId } = run
  const failed = await store.read(({ toolCalls }) => toolCalls.get(runId, toolCallId))
  if (failed == null || failed.holdUntil === null) return failed?.retriedBy ?? undefined
  const retriedBy = await waitForRun({
    runId,
    signals,
    signal,
    timeout: { milliseconds: Math.max(failed.holdUntil - now(), 0), setTimer },
    read: () =>
      store.read(async (transaction) => {
        const row = await transaction.toolCalls.get(runId, toolCallId)
        return row?.retriedBy ?? undefined
      }),
  })
  if (retriedBy !== undefined) return retriedBy
  let late: string | undefined
  // Whoever asks from now on is too late; whoever asked just now is not. The run is locked for that: they lock it too.
  await recorder.commit(async (transaction) => {
    const row = await transaction.toolCalls.get(runId, toolCallId)
    late = row?.retriedBy ?? undefined
    if (late === undefined) await transaction.toolCalls.update(runId, toolCallId, { holdUntil: null })
    return []
  })
  return late
}
