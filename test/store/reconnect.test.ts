import { replayAgentEvents } from 'redux-agent'
import { createGate } from 'redux-agent/testing'
import { describe, expect, it } from 'vitest'
import { expectSilentConsole } from './createHarness.ts'
import { createResumableRun, lost } from './createResumableRun.ts'
import { createRun, createShortRun } from './createRunEvents.ts'

expectSilentConsole()

const events = createShortRun('r1')
const failRun = (_: unknown, { events: own }: { events: ReturnType<typeof createRun> }) => [
  own.create('run.failed', { error: { message: 'Lost.' } }),
]

describe('a wire that is lost', () => {
  it('is taken up again after the cursor, and the connection says so', async () => {
    const { start, rest, retryAfter, connection, connections, state, opened, errors, isRequesting } = withRequesting({
      events,
      plan: ({ index }) => (index === 0 ? { cutAfterChunks: 3 } : {}),
    })
    const task = start()
    await rest()
    expect(connection('r1')).toMatchObject({
      state: 'reconnecting',
      attempt: 1,
      maxAttempts: 3,
      cursor: '2',
      error: { code: 'network' },
    })
    expect(isRequesting()).toBe(true)
    expect(state()).toEqual(replayAgentEvents(events.slice(0, 3)))
    await retryAfter(500)
    await task.unwrap()
    expect(connections()).toEqual(['connected', 'reconnecting', 'connected', 'idle'])
    expect(opened()).toEqual(['open', '2'])
    expect(errors()).toEqual([])
    expect(state()).toEqual(replayAgentEvents(events))
    expect(connection('r1')).toMatchObject({ state: 'idle', detached: false, cursor: '5' })
    for (const key of ['attempt', 'maxAttempts', 'error', 'resumedAt', 'canResume']) {
      expect(connection('r1')).not.toHaveProperty(key)
    }
  })

  it('tells at which event it was taken up while it is up', async () => {
    const gate = createGate()
    const { start, rest, retryAfter, connection } = createResumableRun({
      steps: [...events.slice(0, 5).map((event) => ({ events: [event] })), { gate }, { events: [events[5]!] }],
      plan: ({ index }) => (index === 0 ? { cutAfterChunks: 2 } : {}),
    })
    const task = start()
    await retryAfter(500)
    expect(connection('r1')).toMatchObject({ state: 'connected', resumedAt: 2 })
    for (const key of ['attempt', 'maxAttempts', 'error', 'isOffline']) expect(connection('r1')).not.toHaveProperty(key)
    gate.open()
    await rest()
    await task.unwrap()
    expect(connection('r1')).not.toHaveProperty('resumedAt')
  })

  it('by an end without the end of the run is a loss as well', async () => {
    const { start, retryAfter, opened, state, errors } = createResumableRun({
      events,
      plan: ({ index }) => (index === 0 ? { cutAfterChunks: 3, endSilently: true } : {}),
    })
    const task = start()
    await retryAfter(500)
    await task.unwrap()
    expect(opened()).toEqual(['open', '2'])
    expect(errors()).toEqual([])
    expect(state()).toEqual(replayAgentEvents(events))
  })

  it('of a provider that numbers events itself goes on after the last number', async () => {
    const { start, retryAfter, opened, state, errors } = createResumableRun({
      capabilities: { sequence: 'increasing' },
      start: (own) => [own.create('run.started', {})],
      steps: [
        { events: (own) => [own.create('task.created', { taskId: 'one', title: 'One' })] },
        { events: (own) => [own.create('task.created', { taskId: 'two', title: 'Two' })] },
        { events: (own) => [own.create('run.completed', {})] },
      ],
      plan: ({ index }) => (index === 0 ? { cutAfterChunks: 1 } : {}),
    })
    const task = start()
    await retryAfter(500)
    await task.unwrap()
    expect(opened()).toEqual(['open', '0'])
    expect(errors()).toEqual([])
    expect(state().issues).toEqual([])
    expect(Object.keys(state().tasks)).toHaveLength(2)
    expect(state().runs.r1?.status).toBe('completed')
    expect(state().lastSequenceByRun.r1).toBe(3)
  })

  it('absorbs what comes again', async () => {
    const { start, retryAfter, state } = createResumableRun({
      events,
      plan: ({ index }) => (index === 0 ? { cutAfterChunks: 4, repeat: () => 2 } : { repeat: () => 3 }),
    })
    const task = start()
    await retryAfter(500)
    await task.unwrap()
    expect(state()).toEqual(replayAgentEvents(events))
  })
})

describe('the budget', () => {
  const cutAlways = (chunks = 0) => () => ({ cutAfterChunks: chunks })

  it('is spent by attempts in a row, ever farther apart; then the connection has failed, not the run', async () => {
    let isBroken = true
    const { start, resume, retryAfter, connection, opened, errors, state, rest } = createResumableRun({
      events,
      plan: ({ index }) => (isBroken ? { cutAfterChunks: index === 0 ? 2 : 0 } : {}),
    })
    const task = start()
    for (const [attempt, delay] of [500, 1000, 2000].entries()) {
      await rest()
      expect(connection('r1')).toMatchObject({ state: 'reconnecting', attempt: attempt + 1, maxAttempts: 3 })
      expect(errors()).toEqual([])
      await retryAfter(delay)
    }
    await task.unwrap()
    expect(opened()).toEqual(['open', '1', '1', '1'])
    expect(connection('r1')).toMatchObject({ state: 'failed', canResume: true, error: { code: 'network' } })
    expect(connection('r1')).not.toHaveProperty('attempt')
    expect(errors()).toHaveLength(1)
    expect(state().runs.r1?.status).toBe('running')
    isBroken = false
    await resume().unwrap()
    expect(state()).toEqual(replayAgentEvents(events))
    expect(errors()).toHaveLength(1)
    expect(connection('r1')).toMatchObject({ state: 'idle', cursor: '5' })
  })

  it('that is spent ends the run of a provider that makes events of its own', async () => {
    const { start, retryAfter, connection, errors, state } = createResumableRun({
      capabilities: { sequence: 'increasing' },
      steps: [{ events: (own) => [own.create('run.started', {})] }],
      plan: ({ index }) => ({ cutAfterChunks: index === 0 ? 1 : 0 }),
      transformError: failRun,
      harness: { reconnect: { maxAttempts: 1, initialDelay: 70 } },
    })
    const task = start()
    await retryAfter(70)
    await task.unwrap()
    expect(errors()).toHaveLength(1)
    expect(state().runs.r1).toMatchObject({ status: 'failed' })
    expect(connection('r1')).toMatchObject({ state: 'failed' })
    expect(connection('r1')).not.toHaveProperty('canResume')
  })

  it('is whole again after each event that is new', async () => {
    const { start, retryAfter, opened, state, errors } = createResumableRun({
      events,
      plan: ({ index }) => (index % 2 === 0 ? { cutAfterChunks: 1 } : { cutAfterChunks: 0 }),
      reconnect: { maxAttempts: 2, initialDelay: 100, maxDelay: 150 },
    })
    const task = start()
    for (let event = 0; event < 5; event += 1) {
      await retryAfter(100)
      await retryAfter(150)
    }
    await task.unwrap()
    expect(opened()).toHaveLength(11)
    expect(errors()).toEqual([])
    expect(state()).toEqual(replayAgentEvents(events))
  })

  it('is not given back by what comes again', async () => {
    const { start, retryAfter, errors, connection } = createResumableRun({
      steps: () => [{ events: [events[0]!], cursor: 'same' }, ...[0, 1].map(() => ({ events: [events[0]!] }))],
      plan: () => ({ cutAfterChunks: 1 }),
      reconnect: { maxAttempts: 2, initialDelay: 10, maxDelay: 10 },
    })
    const task = start()
    await retryAfter(10)
    await retryAfter(10)
    await task.unwrap()
    expect(errors()).toHaveLength(1)
    expect(connection('r1')).toMatchObject({ state: 'failed' })
  })

  it('of none is a loss for good', async () => {
    const { start, errors, connection, delays, opened } = createResumableRun({
      events,
      plan: cutAlways(2),
      harness: { reconnect: false },
    })
    await start().unwrap()
    expect(errors()).toHaveLength(1)
    expect(delays()).toEqual([])
    expect(opened()).toEqual(['open'])
    expect(connection('r1')).toMatchObject({ state: 'unrecoverable', canResume: true })
  })
})

describe('while the host is offline', () => {
  it('nothing is tried and nothing spent; online, the next attempt is made at once', async () => {
    const harness = createResumableRun({
      events,
      plan: ({ index }) => (index < 6 ? { cutAfterChunks: index === 0 ? 2 : 0 } : {}),
      reconnect: { maxAttempts: 1 },
    })
    const { start, rest, goOffline, goOnline, connection, opened, state, errors, fireAllTimers, wake } = harness
    goOffline()
    const task = start()
    await rest()
    for (let flap = 0; flap < 4; flap += 1) {
      expect(connection('r1')).toMatchObject({ state: 'reconnecting', isOffline: true })
      expect(connection('r1')).not.toHaveProperty('attempt')
      fireAllTimers()
      wake()
      await rest()
      expect(opened()).toHaveLength(flap + 1)
      goOnline()
      // The attempt fails when the network is gone again.
      goOffline()
      await rest()
    }
    goOnline()
    await rest()
    expect(connection('r1')).toMatchObject({ state: 'reconnecting', attempt: 1, maxAttempts: 1 })
    expect(connection('r1')).not.toHaveProperty('isOffline')
    expect(errors()).toEqual([])
    fireAllTimers()
    await task.unwrap()
    expect(opened()).toHaveLength(7)
    expect(state()).toEqual(replayAgentEvents(events))
    expect(harness.sleepers()).toBe(0)
  })

  it('an abort ends the wait', async () => {
    const { start, rest, goOffline, store, agent, sleepers, delays } = createResumableRun({
      events,
      plan: () => ({ cutAfterChunks: 2 }),
    })
    goOffline()
    const task = start()
    await rest()
    expect(sleepers()).toBe(1)
    store.dispatch(agent.actions.abortRun({ runId: 'r1' }))
    await task.unwrap()
    expect(sleepers()).toBe(0)
    expect(delays()).toEqual([])
  })
})

describe('the wait before an attempt', () => {
  const cutOnce = (error = lost()) => ({
    events,
    plan: ({ index }: { index: number }) => (index === 0 ? { cutAfterChunks: 2, error } : {}),
  })

  it('ends when the page comes back to the eye, or the host online', async () => {
    const { start, rest, wake, opened, delays, state } = createResumableRun(cutOnce())
    const task = start()
    await rest()
    expect(delays()).toEqual([500])
    wake()
    await task.unwrap()
    expect(opened()).toEqual(['open', '1'])
    expect(delays()).toEqual([])
    expect(state()).toEqual(replayAgentEvents(events))
  })

  it('is not spent by a host, or an eye, that comes and goes, which asks the server no more often for it', async () => {
    let isBroken = true
    const { start, rest, wake, goOffline, goOnline, advance, fireAllTimers, opened, connection, state } = createResumableRun({
      events,
      plan: ({ index }) => (isBroken ? { cutAfterChunks: index === 0 ? 2 : 0 } : {}),
    })
    const task = start()
    await rest()
    for (let flap = 0; flap < 20; flap += 1) {
      wake()
      await rest()
      goOffline()
      goOnline()
      await rest()
    }
    // The first time at once; then not before the least wait.
    expect(opened()).toHaveLength(2)
    for (let flap = 0; flap < 20; flap += 1) {
      advance(500)
      wake()
      await rest()
    }
    expect(opened()).toHaveLength(22)
    expect(connection('r1')).toMatchObject({ state: 'reconnecting', attempt: 1, maxAttempts: 3 })
    isBroken = false
    fireAllTimers()
    await task.unwrap()
    expect(state()).toEqual(replayAgentEvents(events))
  })

  it('is never shorter than the server asked for', async () => {
    const { start, rest, wake, advance, opened, delays } = createResumableRun(cutOnce(lost({ retryAfter: 9000 })))
    const task = start()
    await rest()
    expect(delays()).toEqual([9000])
    wake()
    await rest()
    expect(opened()).toEqual(['open'])
    advance(9000)
    wake()
    await task.unwrap()
    expect(opened()).toEqual(['open', '1'])
  })

  it('ends by hand, with the whole budget', async () => {
    const { start, resume, rest, connection, opened } = createResumableRun({
      events,
      plan: ({ index }) => (index < 3 ? { cutAfterChunks: index === 0 ? 2 : 0 } : {}),
      reconnect: { maxAttempts: 1 },
    })
    const task = start()
    await rest()
    const again = resume()
    await rest()
    expect(connection('r1')).toMatchObject({ attempt: 1, maxAttempts: 1 })
    void resume()
    await rest()
    expect(connection('r1')).toMatchObject({ attempt: 1, maxAttempts: 1 })
    void resume()
    expect(await again.unwrap()).toEqual({ runId: 'r1' })
    expect(await task.unwrap()).toEqual({ runId: 'r1' })
    expect(opened()).toEqual(['open', '1', '1', '1'])
  })

  it('ends for good by an abort; what is let go of is not taken up by itself', async () => {
    const { start, rest, resume, store, agent, connection, delays, opened, errors, fireAllTimers, wake, state } =
      createResumableRun(cutOnce())
    const task = start()
    await rest()
    store.dispatch(agent.actions.abortRun({ sessionId: 's1' }))
    await task.unwrap()
    expect(connection('r1')).toMatchObject({ state: 'idle', detached: true, canResume: true })
    expect(connection('r1')).not.toHaveProperty('attempt')
    expect(delays()).toEqual([])
    fireAllTimers()
    wake()
    await rest()
    expect(opened()).toEqual(['open'])
    expect(errors()).toEqual([])
    await resume().unwrap()
    expect(connection('r1')).toMatchObject({ state: 'idle', detached: false })
    expect(opened()).toEqual(['open', '1'])
    expect(state()).toEqual(replayAgentEvents(events))
  })
})

function withRequesting(options: Parameters<typeof createResumableRun>[0]) {
  const harness = createResumableRun(options)
  return {
    ...harness,
    isRequesting: () => harness.selectors.selectIsRequesting(harness.store.getState(), 's1'),
  }
}
