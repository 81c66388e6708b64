import { isDeepStrictEqual } from 'node:util'
import * as fc from 'fast-check'
import { replayAgentEvents } from 'redux-agent'
import type { RunServerProvider } from 'redux-agent/adapters/run-server'
import { describe, expect, it } from 'vitest'
import { createFakeRunServer, encodeLog } from './createFakeRunServer.ts'
import { createReconnectRun } from './createReconnectRun.ts'
import { createRecordedRun } from './createRecordedRun.ts'

const log = createRecordedRun({ steps: 2 })
const replayed = replayAgentEvents(log)
const encoded = encodeLog(log)
const whole = encoded.answer(0).length

/** One connection: refused, cut, in pieces, with events that come again, or without one of them. */
const arbitraryConnection = fc.record(
  {
    cutAfterBytes: fc.nat(whole),
    endSilently: fc.boolean(),
    pieceSize: fc.integer({ min: 40, max: whole }),
    back: fc.nat(25),
    skip: fc.nat(log.length),
    refusal: fc.constantFrom(
      { status: 503 },
      { status: 500 },
      { status: 429, headers: { 'retry-after': '7' } },
    ),
  },
  { requiredKeys: [] },
)

const arbitrarySchedule = fc.record({
  connections: fc.array(arbitraryConnection, { maxLength: 8 }),
  // What happens to the host and what the person does, one a turn of the event loop.
  turns: fc.array(fc.constantFrom('offline', 'online', 'wake', 'resume', 'late', 'none'), { maxLength: 30 }),
})

type Schedule = typeof arbitrarySchedule extends fc.Arbitrary<infer Value> ? Value : never

/** Lives through a schedule, and says of each part of the law whether it held. */
async function live({ connections, turns }: Schedule, spoil?: (provider: RunServerProvider) => RunServerProvider) {
  let replaysFromStart = false
  const server = createFakeRunServer(encoded, (index) => {
    replaysFromStart ||= server.requests.at(-1)!.kind === 'start' && lastSequence() > 0
    return connections[index] ?? {}
  })
  const run = createReconnectRun({
    log,
    server,
    plan: (index) => connections[index] ?? {},
    // Enough for any schedule: that the budget is spent is for other tests.
    reconnect: { maxAttempts: 50 },
    ...(spoil && { spoil }),
  })
  const { store, agent } = run
  const lastSequence = () => run.state().lastSequenceByRun.r1 ?? 0
  let isCursorAhead = false
  const unsubscribe = store.subscribe(() => {
    const cursor = run.connection()?.cursor
    if (cursor !== undefined) isCursorAhead ||= (JSON.parse(cursor) as { seq: number }).seq > lastSequence()
  })
  const task = run.start()
  const left = [...turns]
  await run.settle(task, () => {
    const turn = left.shift()
    if (turn === 'offline') run.goOffline()
    else if (turn === 'wake') run.wake()
    else if (turn === 'late') run.advance(10_000)
    else if (turn === 'resume') {
      if (run.state().runs.r1?.status === 'running') void store.dispatch(agent.actions.resumeRun({ runId: 'r1' }))
    } else if (turn === 'online' || turn === undefined) run.goOnline()
  })
  unsubscribe()
  await task.unwrap()
  const { transformed, connection } = run
  return {
    isWhole: isDeepStrictEqual(run.state(), replayed),
    isCursorAhead,
    replaysFromStart,
    transformed: transformed.length,
    state: connection()?.state,
  }
}

const lawful = { isWhole: true, isCursorAhead: false, replaysFromStart: false, transformed: 0, state: 'idle' }

describe('whatever happens to the wire', { timeout: 600_000 }, () => {
  it('the run ends as its plain replay, by the start and resumes alone', async () => {
    const law = fc.asyncProperty(arbitrarySchedule, async (schedule) => {
      expect(await live(schedule)).toEqual(lawful)
    })
    await fc.assert(law, { numRuns: 200 })
  })
})

describe('the law of the wire catches', { timeout: 600_000 }, () => {
  const cut = { connections: [{ cutAfterBytes: whole >> 1 }], turns: [] }
  const gap = { connections: [{ skip: 11 }], turns: [] }

  it('nothing where nothing is wrong', async () => {
    expect(await live(cut)).toEqual(lawful)
    expect(await live(gap)).toEqual(lawful)
  })

  it('a cursor that is there before its event is applied: the event is lost', async () => {
    const spoil = (provider: RunServerProvider): RunServerProvider => ({
      ...provider,
      transport: {
        ...provider.transport,
        getCursor: (chunk) =>
          provider.transport.getCursor!(chunk)?.replace(/"seq":(\d+)/, (_, seq) => `"seq":${Number(seq) + 1}`),
      },
    })
    expect(await live(cut, spoil)).toMatchObject({ isWhole: false, isCursorAhead: true })
  })

  it('an event that is applied across a gap: the one before it is lost', async () => {
    const spoil = (provider: RunServerProvider): RunServerProvider => ({
      ...provider,
      capabilities: { ...provider.capabilities, sequence: 'increasing' },
    })
    expect(await live(cut, spoil)).toEqual(lawful)
    expect(await live(gap, spoil)).toMatchObject({ isWhole: false })
  })

  it('a resume that begins anew', async () => {
    const spoil = (provider: RunServerProvider): RunServerProvider => ({
      ...provider,
      transport: { ...provider.transport, resume: (request, _, signal) => provider.transport.open(request, signal) },
    })
    expect(await live(cut, spoil)).toMatchObject({ replaysFromStart: true })
  })
})
