import type { Context, MiddlewareHandler } from 'hono'
import { RunServerError } from '../runServerError.ts'

/**
 * Refuses what a page of another origin asks a browser to change here, another port of this machine included; JSON
 * bodies alone are not asked of a DELETE.
 */
export const refuseCrossSite: MiddlewareHandler = async (context, next) => {
  const isReading = context.req.method === 'GET' || context.req.method === 'HEAD'
  if (!isReading && !isOwn(context)) {
    throw new RunServerError({ status: 403, code: 'cross_site', message: 'Other sites cannot change anything here.' })
  }
  await next()
}

function isOwn({ req }: Context): boolean {
  const site = req.header('sec-fetch-site')
  if (site !== undefined) return site === 'same-origin' || site === 'none'
  // Browsers send no Sec-Fetch-Site to an address without TLS that is not this machine's; programs send neither.
  const origin = req.header('origin')
  if (origin === undefined) return true
  return URL.canParse(origin) && new URL(origin).host === req.header('host')?.toLowerCase()
}
