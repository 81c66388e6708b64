import { createHmac } from 'node:crypto'

/** Signs an owner's id, so that only this server's cookies name one. */
export function signOwner(ownerId: string, secret: string): string {
  return createHmac('sha256', secret).update(ownerId).digest('base64url')
}
