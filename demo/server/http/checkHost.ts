import type { MiddlewareHandler } from 'hono'
import { RunServerError } from '../runServerError.ts'

const ownNames = ['localhost', '127.0.0.1', '[::1]']

/**
 * Answers only under this machine's own names and `allowedHosts`, whatever the port: a page of another site that points
 * its own name at this machine (DNS rebinding) would otherwise count as the same origin.
 */
export function checkHost(allowedHosts: readonly string[]): MiddlewareHandler {
  const allowed = new Set([...ownNames, ...allowedHosts].map(readName))
  return async (context, next) => {
    const name = readName(context.req.header('host') ?? '')
    if (name === undefined || !allowed.has(name)) {
      throw new RunServerError({
        status: 421,
        code: 'unknown_host',
        message: 'This server does not answer under that name. Add it to ALLOWED_HOSTS if it is its own.',
      })
    }
    await next()
  }
}

/** The name in a Host header, in its usual form; undefined where it is more or less than a name and a port. */
function readName(host: string): string | undefined {
  const text = host.includes(':') && !host.includes(']') && host.split(':').length > 2 ? `[${host}]` : host
  if (!/^(?:\[[\da-f:.]+\]|[\w.-]+)(?::\d{1,5})?$/i.test(text) || !URL.canParse(`http://${text}`)) return undefined
  return new URL(`http://${text}`).hostname.replace(/\.$/, '')
}
