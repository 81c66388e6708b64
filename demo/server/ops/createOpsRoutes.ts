import { createHash, timingSafeEqual } from 'node:crypto'
import { Hono } from 'hono'
import { RunServerError } from '../runServerError.ts'
import type { SetTimer } from '../setTimer.ts'
import type { RunServerStore } from '../store/runServerStore.ts'
import type { Metrics } from './createMetrics.ts'
import { createStoreProbe } from './createStoreProbe.ts'

/**
 * - `GET /healthz` → 200 `{ status: 'ok' }` while the process answers at all. It asks no store: a restart mends none.
 * - `GET /readyz` → 200 `{ status: 'ready', store: 'writable' }`; 503 with `status: 'failing'` and `store: 'read-only'`
 *   or `'unreachable'`, or with `status: 'closing'` once the server is being stopped.
 * - `GET /metrics` → the text format of Prometheus; with a token it wants `Authorization: Bearer …`.
 */
export function createOpsRoutes(options: {
  store: RunServerStore
  setTimer: SetTimer
  now(): number
  createId(): string
  closing: AbortSignal
  metrics: Metrics | undefined
  metricsToken?: string | undefined
}) {
  const { store, closing, metrics, metricsToken } = options
  const probeStore = createStoreProbe(options)
  const health = new Hono()
    .get('/healthz', (context) => context.json({ status: 'ok' }))
    .get('/readyz', async (context) => {
      if (closing.aborted) return context.json({ status: 'closing', store: 'unknown' }, 503)
      const condition = await probeStore()
      return condition === 'writable'
        ? context.json({ status: 'ready', store: condition })
        : context.json({ status: 'failing', store: condition }, 503)
    })
  const figures = new Hono()
  if (metrics !== undefined) {
    figures.get('/metrics', async (context) => {
      if (metricsToken !== undefined && !isEqual(context.req.header('authorization') ?? '', `Bearer ${metricsToken}`)) {
        throw new RunServerError({ status: 404, code: 'not_found', message: 'There is nothing at this address.' })
      }
      // Where the store is away, the other figures say so.
      const counts = await store.read(({ runs }) => runs.countByStatus()).catch(() => undefined)
      metrics.runs.reset()
      for (const [state, count] of Object.entries(counts ?? {})) metrics.runs.set({ state }, count)
      return context.body(await metrics.print(), 200, { 'content-type': metrics.contentType })
    })
  }
  return { health, figures }
}

function isEqual(one: string, other: string): boolean {
  const [left, right] = [one, other].map((text) => createHash('sha256').update(text).digest())
  return timingSafeEqual(left!, right!)
}
