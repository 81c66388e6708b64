import { formatCookie } from './formatCookie.ts'
import { sessionCookiePrefix } from './sessionCookie.ts'
import { signOwner } from './signOwner.ts'

const maxAge = 365 * 24 * 60 * 60

/**
 * Makes the Set-Cookie header of an owner: out of reach of scripts and of other sites' requests. Each owner has a name
 * of its own, so that no late answer takes the place of a cookie under which something was written already.
 */
export function formatSessionCookie(ownerId: string, secret: string, { isSecure = false } = {}): string {
  const signature = signOwner(ownerId, secret)
  return formatCookie(`${sessionCookiePrefix}_${signature.slice(0, 12)}`, `${ownerId}.${signature}`, { maxAge, isSecure })
}
