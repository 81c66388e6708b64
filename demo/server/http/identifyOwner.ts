import type { MiddlewareHandler } from 'hono'
import { readSeedDocuments } from '../documents/readSeedDocuments.ts'
import type { RunServerStore } from '../store/runServerStore.ts'
import type { HttpEnv } from './httpEnv.ts'
import { formatSessionCookie, readSessionCookie } from './sessionCookie.ts'

/** Knows a browser by its cookie, gives a new one its own, and puts some documents on its shelf at the first visit. */
export function identifyOwner(options: {
  store: RunServerStore
  secret: string
  now(): number
  createId(): string
}): MiddlewareHandler<HttpEnv> {
  const { store, secret, now, createId } = options
  const seed = readSeedDocuments()
  return async (context, next) => {
    const known = readSessionCookie(context.req.header('cookie'), secret)
    // A dot would end the id within the cookie.
    const ownerId = known ?? createId().replaceAll('.', '-')
    await store.transaction(async (transaction) => {
      if (await transaction.users.has(ownerId)) return
      await transaction.users.insert(ownerId, now())
      for (const [index, document] of seed.entries()) {
        await transaction.documents.insert({ ...document, ownerId, version: 1, updatedAt: now() - index * 3_600_000 })
      }
    })
    context.set('ownerId', ownerId)
    await next()
    // Only now: a stream's own Response would not take over what was set before it.
    if (known === undefined) context.header('set-cookie', formatSessionCookie(ownerId, secret), { append: true })
  }
}
