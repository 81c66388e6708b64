import { createHash, timingSafeEqual } from 'node:crypto'
import { Hono } from 'hono'
import { RunServerError } from '../runServerError.ts'
import type { SetTimer } from '../setTimer.ts'
import type { RunServerStore } from '../store/runServerStore.ts'
import type { Metrics } from './createMetrics.ts'

/** How long the store may take to answer a probe, in milliseconds. */
const patience = 2_000

/**
 * - `GET /healthz` → 200 `{ status: 'ok', store: 'reachable' }`; 503 with `store: 'unreachable'`, or with
 *   `status: 'closing'` once the server is being stopped.
 * - `GET /metrics` → the text format of Prometheus; with a token it wants `Authorization: Bearer …`.
 */
export function createOpsRoutes(options: {
  store: RunServerStore
  setTimer: SetTimer
  closing: AbortSignal
  metrics: Metrics | undefined
  metricsToken?: string | undefined
}) {
  const { store, setTimer, closing, metrics, metricsToken } = options
  const health = new Hono().get('/healthz', async (context) => {
    if (closing.aborted) return context.json({ status: 'closing', store: 'unknown' }, 503)
    const isReachable = await within(store.read(({ runs }) => runs.get('')), setTimer)
    return isReachable
      ? context.json({ status: 'ok', store: 'reachable' })
      : context.json({ status: 'failing', store: 'unreachable' }, 503)
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

/** Whether it comes in time, and well. */
function within(work: Promise<unknown>, setTimer: SetTimer): Promise<boolean> {
  return new Promise((resolve) => {
    const cancel = setTimer(() => resolve(false), patience)
    work.then(
      () => resolve(true),
      () => resolve(false),
    ).finally(cancel)
  })
}

function isEqual(one: string, other: string): boolean {
  const [left, right] = [one, other].map((text) => createHash('sha256').update(text).digest())
  return timingSafeEqual(left!, right!)
}
