import { getRunEnding } from '../runs/getRunEnding.ts'
import type { EventRow } from '../store/rows.ts'
import type { Log } from './createLog.ts'
import type { Metrics } from './createMetrics.ts'

/** Makes what is told of stored events: it counts them and logs where a run stands, never what they say. */
export function observeEvents(log: Log, metrics: Metrics): (rows: readonly EventRow[]) => void {
  return (rows) => {
    metrics.eventsStored.inc(rows.length)
    for (const { runId, seq, event } of rows) {
      if (event.type === 'tool.requested' && event.payload.retryOf !== undefined) metrics.toolRetries.inc()
      const state = getRunEnding(event.type)
      if (state === undefined) continue
      metrics.runsEnded.inc({ state })
      log.info({ runId, seq, state }, 'run ended')
    }
    const { runId, seq } = rows[rows.length - 1]!
    log.debug({ runId, seq, count: rows.length }, 'events stored')
  }
}
