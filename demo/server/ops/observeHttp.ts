import type { HttpObserver } from '../http/httpObserver.ts'
import type { Log } from './createLog.ts'
import type { Metrics } from './createMetrics.ts'

const methods = new Set(['GET', 'HEAD', 'POST', 'PATCH', 'DELETE', 'OPTIONS', 'PUT'])

/** Counts requests and streams, and logs those that change something or fail; those that only read at `debug`. */
export function observeHttp(log: Log, metrics: Metrics): HttpObserver {
  return {
    answered({ method, path, status, durationMs }) {
      metrics.requests.inc({ method: methods.has(method) ? method : 'other', status: String(status) })
      const isReading = method === 'GET' || method === 'HEAD'
      const level = status >= 500 ? 'warn' : isReading ? 'debug' : 'info'
      // An address may be as long as its sender likes.
      log[level]({ method, path: path.slice(0, 300), status, durationMs }, 'request')
    },
    refused(reason) {
      metrics.refusals.inc({ reason })
      log.debug({ reason }, 'refused')
    },
    streamOpened: () => metrics.followers.inc(),
    streamClosed: () => metrics.followers.dec(),
    delivered: (latencyMs) => metrics.followerLatency.observe(Math.max(0, latencyMs) / 1000),
  }
}
