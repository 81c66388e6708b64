import type { MiddlewareHandler } from 'hono'
import { RunServerError } from '../runServerError.ts'

/** Refuses what another site's page asks a browser to change here; JSON bodies alone are not asked of a DELETE. */
export const refuseCrossSite: MiddlewareHandler = async (context, next) => {
  const isReading = context.req.method === 'GET' || context.req.method === 'HEAD'
  if (!isReading && context.req.header('sec-fetch-site') === 'cross-site') {
    throw new RunServerError({ status: 403, code: 'cross_site', message: 'Other sites cannot change anything here.' })
  }
  await next()
}
