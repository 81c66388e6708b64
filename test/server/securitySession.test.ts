import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { createOwnerChoice } from '../../demo/server/http/createOwnerChoice.ts'
import { formatSessionCookie } from '../../demo/server/http/formatSessionCookie.ts'
import { readSessionCookies } from '../../demo/server/http/readSessionCookies.ts'
import { createSqliteStore } from '../../demo/server/store/sqlite/createSqliteStore.ts'
import { createManualTimers } from './support/createManualTimers.ts'
import { sendRaw } from './support/sendRaw.ts'
import { startTestServer, type TestServer } from './support/startTestServer.ts'

let server: TestServer | undefined
afterEach(() => server?.close())

const secret = 'a secret of the server'
const pairOf = (cookie: string) => cookie.split(';', 1)[0]!
const document = JSON.stringify({ title: 'x', content: '' })

describe('a session cookie', () => {
  it('names its owner to the server that signed it, beside whatever else the browser sends', () => {
    fc.assert(
      fc.property(fc.uuid(), fc.string(), (ownerId, noise) => {
        const pair = pairOf(formatSessionCookie(ownerId, secret))
        const header = `a=1; ${pair}; ${noise.replaceAll(/[;=]/g, '')}=2`
        expect(readSessionCookies(header, secret)).toEqual([{ name: pair.split('=', 1)[0], ownerId }])
      }),
      { numRuns: 100 },
    )
  })

  it('that was tampered with anywhere names nobody', () => {
    const [name, value] = pairOf(formatSessionCookie('owner-1', secret)).split('=', 2) as [string, string]
    fc.assert(
      fc.property(fc.nat(value.length - 1), fc.constantFrom('A', 'b', '.', '-', '_', '0', ''), (index, character) => {
        const tampered = value.slice(0, index) + character + value.slice(index + 1)
        fc.pre(tampered !== value)
        expect(readSessionCookies(`${name}=${tampered}`, secret)).toEqual([])
      }),
      { numRuns: 300 },
    )
  })

  it('of another secret, another algorithm or no signature names nobody', () => {
    const name = pairOf(formatSessionCookie('owner-1', secret)).split('=', 1)[0]!
    const md5 = createHmac('md5', secret).update('owner-1').digest('base64url')
    const hex = createHmac('sha256', secret).update('owner-1').digest('hex')
    const full = pairOf(formatSessionCookie('owner-1', secret)).split('=', 2)[1]!
    const another = pairOf(formatSessionCookie('owner-1', 'another')).split('=', 2)[1]!
    const forged = [another, `owner-1.${md5}`, `owner-1.${hex}`]
    const cut = Array.from({ length: full.length }, (_, length) => full.slice(0, length))
    for (const value of [...forged, ...cut, `${full}.`, `${full}.x`, `owner-2.${full.split('.')[1]!}`]) {
      expect(readSessionCookies(`${name}=${value}`, secret)).toEqual([])
    }
  })

  it('is out of reach of scripts and other sites, and of the wire where there is TLS', async () => {
    server = await startTestServer()
    const ask = async (headers: Record<string, string>) =>
      (await sendRaw(`${server!.url}/api/documents`, { headers })).cookies[0]!
    expect(await ask({})).toMatch(/; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax$/)
    for (const proto of ['https', 'HTTPS', 'https, http']) {
      expect(await ask({ 'x-forwarded-proto': proto })).toMatch(/; HttpOnly; SameSite=Lax; Secure$/)
    }
    expect(await ask({ 'x-forwarded-proto': 'http' })).not.toContain('Secure')
    const response = await fetch(`${server.url}/api/documents`, { headers: { 'x-forwarded-proto': 'https' } })
    expect(response.headers.get('strict-transport-security')).toMatch(/^max-age=\d+/)
    expect(response.headers.get('cache-control')).toBe('no-store')
  })
})

describe('somebody with several cookies', () => {
  const cookies = (...ownerIds: string[]) => ownerIds.map((ownerId) => ({ name: `c-${ownerId}`, ownerId }))

  it('is one owner, whichever of two writes under different cookies comes first', async () => {
    for (const order of ['one cookie first', 'both cookies first']) {
      for (const late of ['a', 'b']) {
        const store = createSqliteStore(':memory:')
        const owners = createOwnerChoice(store)
        const writes =
          order === 'one cookie first'
            ? [owners.choose(cookies(late), true), owners.choose(cookies('a', 'b'), true)]
            : [owners.choose(cookies('a', 'b'), true), owners.choose(cookies(late), true)]
        const chosen = await Promise.all(writes)
        if (order === 'both cookies first') {
          // Who comes alone with the other one later still is the same person.
          const [first] = chosen
          expect((await owners.choose(cookies(late), false)).ownerId).toBe(first!.ownerId)
        } else {
          expect(new Set(chosen.map(({ ownerId }) => ownerId))).toEqual(new Set([late]))
        }
        await store.close()
      }
    }
  })

  it('keeps what is stored, and loses the cookies that are of no use any more', async () => {
    const store = createSqliteStore(':memory:')
    await store.transaction(({ users }) => users.insert('b', 1))
    const owners = createOwnerChoice(store)
    expect(await owners.choose(cookies('a', 'b', 'c'), true)).toEqual({ ownerId: 'b', removed: cookies('a', 'c') })
    expect(await owners.choose(cookies('c'), true)).toEqual({ ownerId: 'b', removed: cookies('c') })
    await store.close()
  })
})

describe('two first writes of a browser before any cookie', () => {
  const headers = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', 'user-agent': 'Browser 1' }
  const post = (url: string, more: Record<string, string> = {}) =>
    sendRaw(`${url}/api/documents`, { method: 'POST', headers: { ...headers, ...more }, pieces: [document] })

  it('are one owner: the second is told to come again, and then brings the first one’s cookie', async () => {
    const timers = createManualTimers()
    server = await startTestServer({ now: timers.now })
    const answers = await Promise.all([post(server.url), post(server.url), post(server.url)])
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 429, 429])
    for (const answer of answers.filter(({ status }) => status === 429)) {
      expect(answer).toMatchObject({ body: { code: 'session_pending' }, cookies: [] })
    }
    const cookie = pairOf(answers.find(({ status }) => status === 201)!.cookies[0]!)
    expect((await post(server.url, { cookie })).status).toBe(201)
    const list = await fetch(`${server.url}/api/documents`, { headers: { cookie } })
    expect(((await list.json()) as { documents: unknown[] }).documents).toHaveLength(8)
  })

  it('hold up neither another browser, nor a program, nor one whose cookie never arrived', async () => {
    const timers = createManualTimers()
    server = await startTestServer({ now: timers.now })
    expect((await post(server.url)).status).toBe(201)
    expect((await post(server.url)).status).toBe(429)
    expect((await post(server.url, { 'user-agent': 'Browser 2' })).status).toBe(201)
    const program = { method: 'POST', headers: { 'content-type': 'application/json' }, pieces: [document] }
    for (let index = 0; index < 3; index += 1) {
      expect((await sendRaw(`${server.url}/api/documents`, program)).status).toBe(201)
    }
    timers.advance(2_000)
    expect((await post(server.url)).status).toBe(201)
  })
})
