import type { MiddlewareHandler } from 'hono'
import type { RunServerStore } from '../store/runServerStore.ts'
import { createNewcomerLimit } from './createNewcomerLimit.ts'
import type { HttpEnv } from './httpEnv.ts'
import {
  formatRemovedCookie,
  formatSessionCookie,
  readSessionCookies,
  type SessionCookie,
} from './sessionCookie.ts'

/**
 * Knows a browser by its signed cookie and gives a new one its own; nothing is stored for it until it writes. Requests
 * that race before the first cookie get one each, and from the next one on the same of them counts for all.
 */
export function identifyOwner(options: {
  store: RunServerStore
  secret: string
  now(): number
  createId(): string
  maxNewcomers: number
}): MiddlewareHandler<HttpEnv> {
  const { store, secret, now, createId, maxNewcomers } = options
  const newcomers = createNewcomerLimit({ now, max: maxNewcomers })
  return async (context, next) => {
    const cookies = readSessionCookies(context.req.header('cookie'), secret)
    const { ownerId, removed } =
      cookies.length > 1 ? await choose(store, cookies) : { ownerId: cookies[0]?.ownerId, removed: [] }
    if (ownerId !== undefined) newcomers.meet(ownerId)
    // A dot would end the id within the cookie.
    const id = ownerId ?? createId().replaceAll('.', '-')
    const isReading = context.req.method === 'GET' || context.req.method === 'HEAD'
    if (ownerId === undefined && !isReading) newcomers.admit(id)
    context.set('ownerId', id)
    await next()
    // Only now: a stream's own Response would not take over what was set before it.
    const add = (cookie: string) => context.header('set-cookie', cookie, { append: true })
    if (ownerId === undefined) add(formatSessionCookie(id, secret))
    for (const { name } of removed) add(formatRemovedCookie(name))
  }
}

/** The owner under whom something is stored, else the same one for whoever asks with these cookies. */
async function choose(store: RunServerStore, cookies: readonly SessionCookie[]) {
  const sorted = cookies.toSorted((one, other) => (one.ownerId < other.ownerId ? -1 : 1))
  return store.read(async (transaction) => {
    for (const { ownerId } of sorted) {
      if (!(await transaction.users.has(ownerId))) continue
      // Before anything is stored, a request under way might still write under any of them.
      return { ownerId, removed: sorted.filter((cookie) => cookie.ownerId !== ownerId) }
    }
    return { ownerId: sorted[0]!.ownerId, removed: [] }
  })
}
