import * as fc from 'fast-check'
import { AgentTransportError, type AnyAgentProvider } from 'redux-agent'
import { validateAgentProviderEvents } from 'redux-agent/testing'
import { describe, expect, it } from 'vitest'
import { faultyWires } from './faultyWires.ts'
import { collectRun } from './openAI/collectRun.ts'

// Chunks in which one thing is another than it should be: understood, or one clear error; never a crash of the mapper.

const strange = fc.oneof(
  fc.constantFrom<unknown>(null, true, false, 0, -1, 1.5, '', 'x', '__proto__', [], {}, [null], [[]], [{}], { length: 3 }),
  fc.jsonValue({ maxDepth: 2 }),
)

/** All places in a value, as paths. */
function pathsOf(value: unknown, path: readonly string[] = []): string[][] {
  const inner = typeof value === 'object' && value !== null ? Object.entries(value) : []
  return [[...path], ...inner.flatMap(([key, entry]) => pathsOf(entry, [...path, key]))]
}

function replace(value: unknown, [key, ...rest]: readonly string[], put: unknown): unknown {
  if (key === undefined) return put
  const entry = replace((value as Record<string, unknown>)[key], rest, put)
  return Array.isArray(value) ? value.map((known, index) => (String(index) === key ? entry : known)) : { ...(value as object), [key]: entry }
}

const wires = faultyWires.filter(({ recordings, answer }) => answer !== undefined && recordings.some(({ name }) => name.startsWith('own')))
const adapters = wires.filter(({ name }) => !['sse', 'ndjson'].includes(name))

describe.each(adapters.map((wire) => ({ name: wire.name, wire })))('a chunk of $name', ({ wire }) => {
  const recordings = wire.recordings.filter(({ name }) => name.startsWith('own'))

  /** One ending, or somebody who can answer; and every error names itself. */
  async function expectSound(provider: AnyAgentProvider) {
    const run = collectRun(provider, { input: { message: 'Hi' } })
    if (wire.name === 'run-server') {
      // Its server's events are checked as they are: what is none breaks the protocol.
      const error = await run.then(
        () => undefined,
        (thrown: unknown) => thrown as Error,
      )
      return expect([undefined, 'AgentProviderProtocolError']).toContain(error?.name)
    }
    const { events, failures, state } = await run
    for (const failure of failures) {
      expect(failure).toBeInstanceOf(AgentTransportError)
      expect((failure as AgentTransportError).adapter).toBe(wire.name)
    }
    expect(state.issues).toEqual([])
    const isParked = Object.values(state.approvals).some(({ status }) => status === 'waiting')
    expect(isParked || state.runs.r1?.status !== 'running').toBe(true)
    if (!isParked) expect(validateAgentProviderEvents(provider.capabilities, events)).toEqual([])
  }

  it.each(recordings)('of $name may come in any order, again, or not at all', async ({ frames }) => {
    const order = fc.array(fc.nat({ max: frames.length - 1 }), { maxLength: frames.length + 4 })
    await fc.assert(
      fc.asyncProperty(order, fc.boolean(), async (chosen, isWhole) => {
        // Either anything at all, or the recording with some of it once more.
        const played = isWhole ? frames.flatMap((frame, at) => (chosen.includes(at) ? [frame, frames[chosen[0]!]!] : [frame])) : chosen.map((at) => frames[at]!)
        await expectSound(wire.serve(played))
      }),
      { numRuns: 100, seed: 7 },
    )
  })

  it.each(recordings)('of $name may hold anything anywhere', async ({ frames }) => {
    const isJson = (frame: string) => /^(id: \d+\n)?data: [{[]/.test(frame)
    const places = frames.flatMap((frame, at) => (isJson(frame) ? [at] : []))
    await fc.assert(
      fc.asyncProperty(fc.nat(), fc.nat(), strange, async (chunk, place, put) => {
        const at = places[chunk % places.length]!
        const [, head = '', data = ''] = /^((?:id: \d+\n)?data: )(.*)\n\n$/s.exec(frames[at]!)!
        const value = JSON.parse(data) as unknown
        const paths = pathsOf(value)
        const changed = replace(value, paths[place % paths.length]!, put)
        const provider = wire.serve(frames.with(at, `${head}${JSON.stringify(changed)}\n\n`))
        await expectSound(provider)
      }),
      { numRuns: 150, seed: 7 },
    )
  })
})
