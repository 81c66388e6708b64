import { timingSafeEqual } from 'node:crypto'
import { sessionCookiePrefix, type SessionCookie } from './sessionCookie.ts'
import { signOwner } from './signOwner.ts'

/** Reads the owners from a Cookie header, those alone that this server signed; several where requests raced. */
export function readSessionCookies(header: string | undefined, secret: string): SessionCookie[] {
  return (header ?? '').split(';').flatMap((pair) => {
    const [name = '', value = ''] = pair.trim().split('=', 2)
    if (!name.startsWith(sessionCookiePrefix)) return []
    const [ownerId = '', signature = '', ...rest] = value.split('.')
    if (rest.length > 0) return []
    return ownerId !== '' && isEqual(signature, signOwner(ownerId, secret)) ? [{ name, ownerId }] : []
  })
}

function isEqual(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)]
  return left.length === right.length && timingSafeEqual(left, right)
}
