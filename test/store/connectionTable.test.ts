import type { AgentConnectionState } from 'redux-agent'
import { createGate } from 'redux-agent/testing'
import { describe, expect, it } from 'vitest'
import { createHarness, expectSilentConsole } from './createHarness.ts'
import { createResumableRun, lost, refused } from './createResumableRun.ts'
import { createRun, createShortRun } from './createRunEvents.ts'

expectSilentConsole()

const states = [
  'idle',
  'restoring',
  'connecting',
  'connected',
  'reconnecting',
  'unrecoverable',
  'failed',
] as const satisfies readonly AgentConnectionState[]

/** The design's table, section 6: where each state leads. */
const leadsTo: Record<AgentConnectionState, readonly AgentConnectionState[]> = {
  // Reconnecting and connected: what was parked or let go of is followed again, or goes on by a command's answer.
  idle: ['restoring', 'connecting', 'reconnecting', 'connected'],
  restoring: ['idle', 'reconnecting', 'unrecoverable', 'failed', 'connecting'],
  connecting: ['connected', 'failed', 'idle'],
  connected: ['reconnecting', 'idle', 'failed', 'unrecoverable'],
  reconnecting: ['connected', 'unrecoverable', 'failed', 'idle'],
  unrecoverable: ['reconnecting', 'connecting', 'restoring', 'idle', 'connected'],
  failed: ['reconnecting', 'connecting', 'restoring', 'idle', 'connected'],
}

const pairs = states.flatMap((from) => states.map((to) => [from, to] as const))

describe('the table of the connection', () => {
  it.each(pairs)('from %s to %s is as the design says, whoever asks', (from, to) => {
    const { store, agent, connection } = createHarness()
    const known = { runId: 'r1', sessionId: 's1', providerId: 'scripted', state: from, detached: false, updatedAt: 1 }
    store.dispatch(agent.events.runRestored({ connection: known, isLatest: true }))
    store.dispatch(agent.events.connectionChanged({ runId: 'r1', at: 2, state: to }))
    const isAllowed = from === to || leadsTo[from].includes(to)
    expect(connection('r1')).toEqual(isAllowed ? { ...known, state: to, updatedAt: 2 } : known)
  })

  it.each(states)('lets a run be taken up again from %s only where the design does', (from) => {
    const { store, agent, connection } = createHarness()
    const known = { runId: 'r1', sessionId: 's1', providerId: 'scripted', state: from, detached: true, updatedAt: 1 }
    store.dispatch(agent.events.runRestored({ connection: { ...known, cursor: '3' }, isLatest: false }))
    store.dispatch(agent.events.runResumed({ runId: 'r1', at: 2 }))
    const isAllowed = leadsTo[from].includes('reconnecting') && from !== 'connected'
    expect(connection('r1')).toEqual(
      isAllowed
        ? { ...known, cursor: '3', state: 'reconnecting', detached: false, updatedAt: 2 }
        : { ...known, cursor: '3' },
    )
    expect(agent.selectors.selectConnectionState(store.getState(), { sessionId: 's1' })).toBe('idle')
  })
})

const events = createShortRun('r1')
const run = createRun('r1')
const parked = [run.create('run.started', {}), run.create('approval.requested', { approvalId: 'a' })]
const stay = [...events.slice(0, 2).map((event) => ({ events: [event] })), { gate: createGate() }]
type Options = Parameters<typeof createResumableRun>[0]
/** Cuts the first connection after so many chunks, and those after it before the first. */
const cutAt = (cutAfterChunks: number, error: unknown = lost(), later: unknown = error): Options => ({
  events,
  plan: ({ index }) => (index === 0 ? { cutAfterChunks, error } : { cutAfterChunks: 0, error: later }),
  reconnect: { maxAttempts: 1, initialDelay: 5 },
})
const cutOnce = (cutAfterChunks: number): Options => ({
  ...cutAt(cutAfterChunks),
  plan: ({ index }) => (index === 0 ? { cutAfterChunks } : {}),
})
/** A provider that makes the end of the run of a loss. */
const ending: Options = {
  capabilities: { sequence: 'increasing' },
  transformError: (_, { events: own }) => [own.create('run.failed', { error: { message: 'Lost.' } }, { sequence: 9 })],
}
const [up, back] = [['connected'] as const, ['connected', 'reconnecting'] as const]

/** What a real run goes through, by what happens to it, after `connecting`; the abort at the end is of what is left. */
const rows: readonly [string, Options, readonly AgentConnectionState[]][] = [
  ['the end of the run', { events }, [...up, 'idle']],
  ['a run that waits for a person', { events: parked }, [...up, 'idle', 'idle']],
  ['an abort before the first chunk', { steps: [{ gate: createGate() }] }, ['idle']],
  ['an abort of what streams', { steps: stay }, [...up, 'idle']],
  ['an abort of what reconnects', { ...cutAt(2), reconnect: { initialDelay: 7 } }, [...back, 'idle']],
  ['a safe retry', cutOnce(0), ['connecting', ...up, 'idle']],
  ['a first connection that is refused', cutAt(0, refused(401)), ['failed', 'idle']],
  ['a first connection that spends the budget', cutAt(0), ['connecting', 'failed', 'idle']],
  ['a loss', cutOnce(2), [...back, 'connected', 'idle']],
  ['a loss that spends the budget', cutAt(2), [...back, 'failed', 'idle']],
  ['a loss where there is no budget', { ...cutAt(2), reconnect: { maxAttempts: 0 } }, [...up, 'failed', 'idle']],
  ['a loss for good', cutAt(2, refused(401)), [...up, 'unrecoverable', 'idle']],
  ['a loss for good that ends the run', { ...cutAt(2, refused(401)), ...ending }, [...up, 'failed']],
  ['a loss for good on the way back', cutAt(2, lost(), refused(401)), [...back, 'unrecoverable', 'idle']],
  ['one that ends the run', { ...cutAt(2, lost(), refused(401)), ...ending }, [...back, 'failed']],
  ['a refused cursor', cutAt(2, lost(), refused(410)), [...back, 'unrecoverable', 'idle']],
  ['a breach of the protocol', { events: [events[0]!, createShortRun('r1', 'other')[1]!] }, [...up, 'failed', 'idle']],
]

describe('a run', () => {
  it.each(rows)('goes through the table by %s', async (_, options, passed) => {
    const { start, rest, store, agent, connections, fireTimers } = createResumableRun(options)
    const task = start()
    for (let turn = 0; turn < 4; turn += 1) {
      await rest()
      fireTimers(5)
      fireTimers(500)
    }
    store.dispatch(agent.actions.abortRun({ runId: 'r1' }))
    await task
    expect(connections()).toEqual(passed)
  })

  it.each(['unrecoverable', 'failed'] as const)('leaves %s by hand, or by an abort', async (state) => {
    const options = state === 'failed' ? cutAt(2) : cutAt(2, refused(401))
    let isBroken = true
    const harness = createResumableRun({ ...options, plan: (at) => (isBroken ? options.plan!(at) : {}) })
    const { start, resume, rest, connection, connections, store, agent, fireTimers } = harness
    const task = start()
    await rest()
    fireTimers(5)
    await task
    expect(connection('r1')).toMatchObject({ state })
    store.dispatch(agent.actions.abortRun({ runId: 'r1' }))
    expect(connection('r1')).toMatchObject({ state: 'idle', detached: true })
    isBroken = false
    await resume().unwrap()
    expect(connections().slice(-3)).toEqual(['idle', 'connected', 'idle'])
  })
})
