import type { MiddlewareHandler } from 'hono'
import type { HttpEnv } from './httpEnv.ts'
import type { HttpObserver } from './httpObserver.ts'

/** Tells of each request and its answer: neither the query nor any header, where secrets may stand. */
export function observeRequests(observer: HttpObserver, now: () => number): MiddlewareHandler<HttpEnv> {
  return async (context, next) => {
    const startedAt = now()
    await next()
    const { method, path } = context.req
    observer.answered?.({ method, path, status: context.res.status, durationMs: now() - startedAt })
  }
}
