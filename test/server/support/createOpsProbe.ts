import type { RunServerOptions } from '../../../demo/server/createRunServer.ts'
import { createLog } from '../../../demo/server/ops/createLog.ts'
import { createMetrics } from '../../../demo/server/ops/createMetrics.ts'
import { createScrubber, type ScrubberOptions } from '../../../demo/server/ops/createScrubber.ts'
import { measureStore } from '../../../demo/server/ops/measureStore.ts'
import { observeEvents } from '../../../demo/server/ops/observeEvents.ts'
import { observeHttp } from '../../../demo/server/ops/observeHttp.ts'
import { observeRuns } from '../../../demo/server/ops/observeRuns.ts'
import type { RunServerStore } from '../../../demo/server/store/runServerStore.ts'
import { createSqliteStore } from '../../../demo/server/store/sqlite/createSqliteStore.ts'

/** The log and the metrics as the server's entry puts them together, with the lines where a test can read them. */
export function createOpsProbe(options: ScrubberOptions & { store?: RunServerStore } = {}) {
  const lines: string[] = []
  const scrubber = createScrubber(options)
  const log = createLog({ scrubber, level: 'debug', destination: { write: (line) => void lines.push(line) } })
  const metrics = createMetrics()
  const opened = options.store ?? createSqliteStore(':memory:')
  const serverOptions: Partial<RunServerOptions> = {
    scrubber,
    metrics,
    observer: observeRuns(log, metrics),
    httpObserver: observeHttp(log, metrics),
    store: measureStore(opened, { metrics, onStored: observeEvents(log, metrics) }),
  }
  return {
    log,
    lines,
    metrics,
    serverOptions,
    records: () => lines.map((line) => JSON.parse(line) as Record<string, unknown>),
  }
}
