import type { MiddlewareHandler } from 'hono'
import { isHttps } from './isHttps.ts'

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Lets a page run nothing but its own files, and no other page embed it. */
export const securityHeaders: MiddlewareHandler = async (context, next) => {
  await next()
  context.header('content-security-policy', policy)
  context.header('x-content-type-options', 'nosniff')
  context.header('referrer-policy', 'no-referrer')
  context.header('cross-origin-opener-policy', 'same-origin')
  context.header('cross-origin-resource-policy', 'same-origin')
  context.header('permissions-policy', 'camera=(), microphone=(), geolocation=()')
  if (isHttps(context)) context.header('strict-transport-security', 'max-age=31536000')
  // What is one person's is in no cache for the next.
  const isPrivate = context.req.path.startsWith('/api/') && !context.res.headers.has('cache-control')
  if (isPrivate) context.header('cache-control', 'no-store')
}
