import { createHmac, timingSafeEqual } from 'node:crypto'

const prefix = 'redux_agent_session'
const maxAge = 365 * 24 * 60 * 60

/** An owner as a cookie names them. */
export interface SessionCookie {
  name: string
  ownerId: string
}

/** Reads the owners from a Cookie header, those alone that this server signed; several where requests raced. */
export function readSessionCookies(header: string | undefined, secret: string): SessionCookie[] {
  return (header ?? '').split(';').flatMap((pair) => {
    const [name = '', value = ''] = pair.trim().split('=', 2)
    if (!name.startsWith(prefix)) return []
    const [ownerId = '', signature = '', ...rest] = value.split('.')
    if (rest.length > 0) return []
    return ownerId !== '' && isEqual(signature, sign(ownerId, secret)) ? [{ name, ownerId }] : []
  })
}

/**
 * Makes the Set-Cookie header of an owner: out of reach of scripts and of other sites' requests. Each owner has a name
 * of its own, so that no late answer takes the place of a cookie under which something was written already.
 */
export function formatSessionCookie(ownerId: string, secret: string, { isSecure = false } = {}): string {
  const signature = sign(ownerId, secret)
  return formatCookie(`${prefix}_${signature.slice(0, 12)}`, `${ownerId}.${signature}`, { maxAge, isSecure })
}

/** Makes the Set-Cookie header that removes a cookie. */
export function formatRemovedCookie(name: string, { isSecure = false } = {}): string {
  return formatCookie(name, '', { maxAge: 0, isSecure })
}

function formatCookie(name: string, value: string, options: { maxAge: number; isSecure: boolean }): string {
  const secure = options.isSecure ? '; Secure' : ''
  return `${name}=${value}; Path=/; Max-Age=${options.maxAge}; HttpOnly; SameSite=Lax${secure}`
}

function sign(ownerId: string, secret: string): string {
  return createHmac('sha256', secret).update(ownerId).digest('base64url')
}

function isEqual(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)]
  return left.length === right.length && timingSafeEqual(left, right)
}
