import type { Context, MiddlewareHandler } from 'hono'
import type { RunServerStore } from '../store/runServerStore.ts'
import { createFirstWrites } from './createFirstWrites.ts'
import { createNewcomerLimit } from './createNewcomerLimit.ts'
import { createOwnerChoice } from './createOwnerChoice.ts'
import type { HttpEnv } from './httpEnv.ts'
import { isHttps } from './isHttps.ts'
import { formatRemovedCookie } from './formatRemovedCookie.ts'
import { formatSessionCookie } from './formatSessionCookie.ts'
import { readSessionCookies } from './readSessionCookies.ts'

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
  const firstWrites = createFirstWrites({ now })
  const owners = createOwnerChoice(store)

  const admit = (context: Context<HttpEnv>, ownerId: string) => {
    const browser = describeBrowser(context)
    const end = browser === undefined ? () => {} : firstWrites.begin(browser, ownerId)
    newcomers.admit(ownerId)
    return end
  }
  return async (context, next) => {
    const isWriting = context.req.method !== 'GET' && context.req.method !== 'HEAD'
    const cookies = readSessionCookies(context.req.header('cookie'), secret)
    for (const { ownerId } of cookies) {
      newcomers.meet(ownerId)
      firstWrites.meet(ownerId)
    }
    const known = cookies.length === 0 ? undefined : await owners.choose(cookies, isWriting)
    // A dot would end the id within the cookie.
    const ownerId = known?.ownerId ?? createId().replaceAll('.', '-')
    const end = known === undefined && isWriting ? admit(context, ownerId) : undefined
    context.set('ownerId', ownerId)
    try {
      await next()
    } finally {
      end?.()
    }
    // Only now: a stream's own Response would not take over what was set before it.
    const add = (cookie: string) => context.header('set-cookie', cookie, { append: true })
    const isSecure = isHttps(context)
    if (!cookies.some((cookie) => cookie.ownerId === ownerId)) add(formatSessionCookie(ownerId, secret, { isSecure }))
    for (const { name } of known?.removed ?? []) add(formatRemovedCookie(name, { isSecure }))
  }
}

/** What tells one browser from another while it has no cookie; undefined of programs, which may keep none at all. */
function describeBrowser(context: Context<HttpEnv>): string | undefined {
  const { req } = context
  if (req.header('sec-fetch-site') === undefined && req.header('origin') === undefined) return undefined
  return JSON.stringify([context.get('address'), req.header('user-agent'), req.header('accept-language')])
}
