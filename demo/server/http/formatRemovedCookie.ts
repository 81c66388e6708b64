import { formatCookie } from './formatCookie.ts'

/** Makes the Set-Cookie header that removes a cookie. */
export function formatRemovedCookie(name: string, { isSecure = false } = {}): string {
  return formatCookie(name, '', { maxAge: 0, isSecure })
}
