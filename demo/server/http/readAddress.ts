import type { MiddlewareHandler } from 'hono'
import type { HttpEnv } from './httpEnv.ts'

/**
 * Knows the address that a request comes from. Behind `trustedProxies` proxies of one's own it is what the outermost of
 * them has seen; what stands before that in X-Forwarded-For anybody can write.
 */
export function readAddress({ trustedProxies = 0 }): MiddlewareHandler<HttpEnv> {
  return async (context, next) => {
    const direct = context.env?.incoming?.socket.remoteAddress ?? 'unknown'
    const forwarded = (context.req.header('x-forwarded-for') ?? '').split(',').map((address) => address.trim())
    const seen = [...forwarded.filter((address) => address !== ''), direct]
    context.set('address', seen[Math.max(0, seen.length - 1 - trustedProxies)]!.slice(0, 64))
    await next()
  }
}
