import * as fc from 'fast-check'
import { applyPatch, createPatch, type Operation } from 'rfc6902'
import { describe, expect, it } from 'vitest'
import { byId, createConversation, finished, started } from './runAgUi.ts'

const delta = (...operations: unknown[]) => ({ type: 'STATE_DELTA', delta: operations })
const snapshot = (value: unknown) => ({ type: 'STATE_SNAPSHOT', snapshot: value })

/** What the shared state is after these events, which one run brings. */
async function shareState(events: readonly object[], state?: unknown) {
  const chat = createConversation([[started(), ...events, finished()]])
  const failures = await chat.run({ state })
  expect(failures).toEqual([])
  expect(chat.state().issues).toEqual([])
  return byId(chat.state().artifacts)
}

const names = fc.constantFrom('a', 'b', 'a/b', 'm~n', '0', '')
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(null, true, 0, 1, 'x', ''),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(names, tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
})).value
const pointer = fc
  .array(fc.oneof(names, fc.constantFrom('1', '-', '01')), { maxLength: 3 })
  .map((tokens) => tokens.map((token) => `/${token.replaceAll('~', '~0').replaceAll('/', '~1')}`).join(''))
const operation = fc.oneof(
  fc.record({ op: fc.constantFrom('add', 'replace', 'test'), path: pointer, value: json }),
  fc.record({ op: fc.constant('remove'), path: pointer }),
  fc.record({ op: fc.constantFrom('move', 'copy'), path: pointer, from: pointer }),
)

describe('the state that agent and page share', () => {
  it('is any JSON, null and 0 included', async () => {
    for (const value of [null, 0, '', false, [1], { a: null }]) {
      expect((await shareState([snapshot(value)])).state).toMatchObject({ content: value, status: 'completed' })
    }
  })

  it('comes to what the runtime made of it, by patches as by snapshots', async () => {
    await fc.assert(
      fc.asyncProperty(json, json, async (one, other) => {
        const patch = createPatch(one, other)
        // It makes patches of the root that are none of RFC 6902: replacing the whole is a snapshot's matter.
        fc.pre(patch.every(({ path }) => path !== ''))
        const { state } = await shareState([snapshot(one), delta(...patch)])
        expect(state?.content).toEqual(other)
      }),
      { numRuns: 60 },
    )
  })

  it('agrees with rfc6902 wherever that package keeps to the standard', async () => {
    await fc.assert(
      fc.asyncProperty(json, fc.array(operation, { minLength: 1, maxLength: 1 }), async (document, operations) => {
        fc.pre(isStandard(document, operations))
        const theirs = structuredClone(document)
        const hasFailed = applyPatch(theirs, operations as Operation[]).some((error) => error !== null)
        const { state } = await shareState([snapshot(document), delta(...operations)])
        expect(state?.status).toBe(hasFailed ? 'failed' : 'completed')
        expect(state?.content).toEqual(hasFailed ? document : theirs)
      }),
      { numRuns: 100 },
    )
  })

  it('takes names for names: nothing is polluted, and nothing is lost', async () => {
    const own = JSON.parse('{"__proto__":{"polluted":true},"constructor":{"prototype":{}}}') as object
    const { state } = await shareState([
      snapshot({}),
      delta(
        { op: 'add', path: '/__proto__', value: { polluted: 1 } },
        { op: 'add', path: '/__proto__/deep', value: 2 },
        { op: 'add', path: '/constructor', value: { prototype: { polluted: 1 } } },
      ),
    ])
    expect(Object.keys(state?.content as object)).toEqual(['__proto__', 'constructor'])
    expect(JSON.stringify(state?.content)).toBe(
      '{"__proto__":{"polluted":1,"deep":2},"constructor":{"prototype":{"polluted":1}}}',
    )
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
    expect(Object.getPrototypeOf(state?.content)).toBe(Object.prototype)
    // What is inherited is no member.
    const inherited = await shareState([snapshot({}), delta({ op: 'remove', path: '/toString' })])
    expect(inherited.state?.status).toBe('failed')
    const copied = await shareState([snapshot(own), delta({ op: 'copy', from: '/__proto__', path: '/a' })])
    expect(copied.state?.content).toEqual(
      JSON.parse('{"__proto__":{"polluted":true},"constructor":{"prototype":{}},"a":{"polluted":true}}'),
    )
  })

  it('is older than the runtime’s where a patch does not fit, until it is sent whole again', async () => {
    const broken = [
      [{ op: 'remove', path: '/missing' }],
      [{ op: 'test', path: '/a', value: 2 }],
      [{ op: 'add', path: '/a/b/c', value: 1 }],
      [{ op: 'move', from: '/list', path: '/list/0' }],
      [{ op: 'replace', path: '/list/01', value: 1 }],
      [{ op: 'add', path: 'a', value: 1 }],
      [{ op: 'add', path: '/b' }],
      [{ op: 'explode', path: '/a', value: 1 }],
      ['add'],
      [null],
    ]
    for (const patch of broken) {
      // The first operation fits: of a patch that does not fit as a whole nothing is taken.
      const first = { op: 'replace', path: '/a', value: 9 }
      const good = snapshot({ a: 1, list: [1] })
      const operations = isTest(patch[0]) ? patch : [first, ...patch]
      const artifacts = await shareState([good, delta(...operations)])
      expect(artifacts.state).toMatchObject({
        status: 'failed',
        content: { a: 1, list: [1] },
        error: { code: 'state_diverged' },
      })
      const later = await shareState([
        good,
        delta(...patch),
        delta({ op: 'replace', path: '/a', value: 7 }),
        snapshot({ a: 3 }),
        delta({ op: 'replace', path: '/a', value: 4 }),
      ])
      expect(later).toMatchObject({
        state: { status: 'failed' },
        'state#2': { status: 'completed', content: { a: 4 } },
      })
    }
  })

  it('that was never sent whole diverges as any other, and the last good one goes with the next request', async () => {
    const chat = createConversation([
      [started(), delta({ op: 'remove', path: '/missing' }), finished()],
      [started('r2'), finished('r2')],
    ])
    await chat.run({ message: 'Hello', state: { a: 1 } })
    await chat.run({ message: 'Again' }, 'r2')
    expect(chat.sent[1]!.body.state).toEqual({ a: 1 })
  })

  it('shares what a patch does not touch, and leaves what was said before as it was', async () => {
    const chat = createConversation([
      [started(), snapshot({ a: { big: [1, 2] }, n: 0 }), delta({ op: 'replace', path: '/n', value: 1 }), finished()],
    ])
    await chat.run({})
    const contents = chat.events.flatMap(({ type, payload }) =>
      type.startsWith('artifact.') && 'content' in payload ? [payload.content as { a: object; n: number }] : [],
    )
    expect(contents.map(({ n }) => n)).toEqual([0, 1])
    expect(contents[1]!.a).toBe(contents[0]!.a)
  })

  it('copies what then changes by itself, in the same patch', async () => {
    const patch = [
      ...[{ op: 'add', path: '/a', value: { list: [] } }, { op: 'add', path: '/a/list/-', value: 1 }],
      ...[{ op: 'copy', from: '/a', path: '/b' }, { op: 'copy', from: '/a/list', path: '/list' }],
      ...[{ op: 'add', path: '/b/list/-', value: 2 }, { op: 'add', path: '/a/list/-', value: 3 }],
      ...[{ op: 'move', from: '/b/list', path: '/moved' }, { op: 'add', path: '/moved/-', value: 4 }, { op: 'add', path: '/list/-', value: 5 }],
    ]
    const { content } = (await shareState([snapshot({}), delta(...patch)])).state!
    expect(content).toEqual({ a: { list: [1, 3] }, b: {}, moved: [1, 2, 4], list: [1, 5] })
  })

  it('takes twenty thousand changes in one patch', async () => {
    const numbers = Array.from({ length: 10_000 }, (_, index) => index)
    const patch = numbers.flatMap((value) => [
      { op: 'add', path: '/list/-', value },
      { op: 'add', path: `/record/k${value}`, value },
    ])
    const { content } = (await shareState([snapshot({ list: [], record: {} }), delta(...patch)])).state!
    expect(content).toEqual({ list: numbers, record: Object.fromEntries(numbers.map((value) => [`k${value}`, value])) })
  })

  it('deeper than an event may be is no state, and no crash', async () => {
    const deep = (levels: number) => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`) as unknown
    for (let levels = 30; levels < 60; levels += 3) {
      const path = `${'/0'.repeat(149)}/-`
      const { state } = await shareState([snapshot(deep(150)), delta({ op: 'add', path, value: deep(levels) })])
      expect(['completed', 'failed']).toContain(state?.status)
      if (state?.status === 'failed') expect(state.content).toEqual(deep(150))
    }
    for (const levels of [190, 194, 195, 196, 197, 198, 199, 200, 201, 1000]) {
      const chat = createConversation([[started(), snapshot(deep(levels)), finished()]])
      const failures = await chat.run({})
      if (levels > 198) expect(failures).toMatchObject([{ code: 'invalid_frame' }])
      expect(chat.state().issues).toEqual([])
    }
    // No event is deep here, and what they make is.
    const level = [{ op: 'add', path: '/x', value: [] }, { op: 'move', from: '/r', path: '/x/0' }, { op: 'move', from: '/x', path: '/r' }]
    const levels = Array.from({ length: 10_000 }, () => level).flat()
    const copied = await shareState([snapshot({ r: 0 }), delta(...levels, { op: 'copy', from: '/r', path: '/z' })])
    expect(copied.state).toMatchObject({ status: 'failed', content: { r: 0 } })
  })
})

const isTest = (entry: unknown) => (entry as { op?: string } | null)?.op === 'test'

/** Whether every place is one by the standard: that package writes into lists by any name, and throws at text. */
function isStandard(document: unknown, operations: readonly { op: string; path: string; from?: string }[]): boolean {
  const isPlace = (path: string, mayBeList: boolean) => {
    if (path === '') return false
    const tokens = path.split('/').slice(1)
    const parent = tokens
      .slice(0, -1)
      .reduce<unknown>((value, token) => (isObject(value) ? value[token] : undefined), document)
    return Array.isArray(parent) ? mayBeList && /^(0|[1-9]\d*)$/.test(tokens.at(-1)!) : isObject(parent)
  }
  const [first] = operations
  const { op, path, from } = first!
  // It does not look whether the place in a list that something is moved or copied to is one.
  return isPlace(path, from === undefined) && (from === undefined || isPlace(from, op === 'copy'))
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
