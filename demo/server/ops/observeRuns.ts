import type { RunObserver } from '../runs/runObserver.ts'
import type { Log } from './createLog.ts'
import type { Metrics } from './createMetrics.ts'

/** Writes what happens to runs into the log, with the run's id and sequence, and counts it. */
export function observeRuns(log: Log, metrics: Metrics): RunObserver {
  return {
    runTaken({ runId, lastSeq: seq, conversationId }, { taking, epoch }) {
      metrics.runsTaken.inc({ taking })
      log.info({ runId, seq, conversationId, epoch, taking }, 'run taken')
    },
    toolEnded({ runId, toolCallId, name, status }) {
      metrics.toolCallsEnded.inc({ status })
      log.info({ runId, toolCallId, tool: name, status }, 'tool ended')
    },
    runInterrupted(runId, reason) {
      metrics.runsInterrupted.inc()
      log.warn({ runId, reason }, 'run interrupted')
    },
    leaseLost(runId) {
      metrics.leasesLost.inc()
      log.warn({ runId }, 'lease lost')
    },
    failed(error, context) {
      metrics.failures.inc()
      log.error({ ...context, err: error }, 'failure')
    },
  }
}
