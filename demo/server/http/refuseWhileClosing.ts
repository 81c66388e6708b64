import type { MiddlewareHandler } from 'hono'

/** Tells who still comes while the server stops to go to another node, or to come again. */
export function refuseWhileClosing(closing: AbortSignal): MiddlewareHandler {
  return async (context, next) => {
    if (!closing.aborted) return next()
    const headers = { 'retry-after': '1', connection: 'close' }
    const message = 'The server is being stopped. Try again in a moment.'
    return context.json({ code: 'closing', message }, 503, headers)
  }
}
