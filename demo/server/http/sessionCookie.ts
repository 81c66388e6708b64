import { createHmac, timingSafeEqual } from 'node:crypto'

const name = 'redux_agent_session'
const maxAge = 365 * 24 * 60 * 60

/** Reads the owner from a Cookie header; undefined where there is none, or one that this server did not sign. */
export function readSessionCookie(header: string | undefined, secret: string): string | undefined {
  for (const pair of (header ?? '').split(';')) {
    const [key, value = ''] = pair.trim().split('=', 2)
    if (key !== name) continue
    const [ownerId = '', signature = ''] = value.split('.', 2)
    if (ownerId !== '' && isEqual(signature, sign(ownerId, secret))) return ownerId
  }
  return undefined
}

/** Makes the Set-Cookie header of an owner: out of reach of scripts and of other sites' requests. */
export function formatSessionCookie(ownerId: string, secret: string): string {
  return `${name}=${ownerId}.${sign(ownerId, secret)}; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Lax`
}

function sign(ownerId: string, secret: string): string {
  return createHmac('sha256', secret).update(ownerId).digest('base64url')
}

function isEqual(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)]
  return left.length === right.length && timingSafeEqual(left, right)
}
