import type { Context } from 'hono'

/** Whether the browser asks by TLS, which a proxy may end; who makes it up harms nobody but themselves. */
export function isHttps({ req }: Context): boolean {
  const forwarded = req.header('x-forwarded-proto')?.split(',', 1)[0]?.trim().toLowerCase()
  return forwarded === 'https' || new URL(req.url).protocol === 'https:'
}
