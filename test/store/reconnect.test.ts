import { replayAgentEvents, type AgentEvent } from 'redux-agent'
import { createGate, createScriptedProvider } from 'redux-agent/testing'
import { describe, expect, it } from 'vitest'
import { endOfTask, expectSilentConsole } from './createHarness.ts'
import { createResumableRun, lost, refused } from './createResumableRun.ts'
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
    expect(connection('r1')).toEqual({
      runId: 'r1',
      sessionId: 's1',
      providerId: 'scripted',
      state: 'idle',
      detached: false,
      cursor: '5',
      updatedAt: 1000,
    })
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

  it('is spent by attempts in a row, at growing distances; then the run is running and the connection failed', async () => {
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

describe('what never reconnects', () => {
  it.each([
    ['an error that is not retryable', { error: refused(401) }, {}],
    ['an error of a provider that classifies none', { error: lost() }, { classifyError: undefined }],
    ['a loss of a provider that cannot resume', { error: lost() }, { capabilities: { resumable: false } }],
  ])('%s: it is transformed, once', async (_, faults, provided) => {
    const { start, errors, connection, delays, opened } = createResumableRun({
      events,
      plan: () => ({ cutAfterChunks: 2, ...faults }),
      ...provided,
    })
    await start().unwrap()
    expect(errors()).toEqual([faults.error])
    expect(delays()).toEqual([])
    expect(opened()).toEqual(['open'])
    expect(connection('r1')).toMatchObject({ state: 'unrecoverable' })
  })

  it('a breach of the protocol, on a resumed wire as well', async () => {
    const foreign = createShortRun('r1', 'other')
    const { start, retryAfter, errors, connection, opened } = createResumableRun({
      steps: [{ events: [events[0]!] }, { events: [foreign[1]!] }],
      plan: ({ index }) => (index === 0 ? { cutAfterChunks: 1 } : {}),
    })
    const task = start()
    await retryAfter(500)
    await expect(task.unwrap()).rejects.toMatchObject({ code: 'foreign_event' })
    expect(errors()).toEqual([])
    expect(opened()).toEqual(['open', '0'])
    expect(connection('r1')).toMatchObject({ state: 'failed', error: { code: 'foreign_event' } })
  })

  it('an error of the app', async () => {
    const { start, store, errors, connection, opened, delays, state } = createResumableRun({
      events,
      harness: { batch: { maxEvents: 1 } },
    })
    const unsubscribe = store.subscribe(() => {
      if (state().runs.r1) throw new Error('The app failed.')
    })
    const task = start()
    await endOfTask()
    unsubscribe()
    await expect(task.unwrap()).rejects.toThrow('The app failed.')
    expect(errors()).toEqual([])
    expect(opened()).toEqual(['open'])
    expect(delays()).toEqual([])
    expect(connection('r1')?.state).not.toBe('reconnecting')
  })

  it('a wire that breaks after the end of its run', async () => {
    const { start, errors, connection, opened } = createResumableRun({
      events,
      plan: () => ({ cutAfterChunks: 6 }),
    })
    await start().unwrap()
    expect(errors()).toEqual([])
    expect(opened()).toEqual(['open'])
    expect(connection('r1')).toMatchObject({ state: 'idle' })
  })
})

describe('a cursor that is refused', () => {
  const unavailable = Object.assign(new Error('Gone.'), { code: 'resume_unavailable' })

  it.each([['404', refused(404)], ['409', refused(409)], ['410', refused(410)], ['resume_unavailable', unavailable]])(
    'by %s cannot be recovered: nothing is replayed from the start onto a run that has begun',
    async (_, error) => {
      const { start, resume, retryAfter, rest, errors, connection, connections, opened, delays, state } =
        createResumableRun({
          events,
          plan: ({ index }) => (index === 0 ? { cutAfterChunks: 2 } : { cutAfterChunks: 0, error }),
        })
      const task = start()
      await retryAfter(500)
      await task.unwrap()
      expect(connections()).toEqual(['connected', 'reconnecting', 'unrecoverable'])
      expect(connection('r1')).toMatchObject({ canResume: false, cursor: '1' })
      expect(opened()).toEqual(['open', '1'])
      expect(delays()).toEqual([])
      expect(errors()).toEqual([])
      expect(state()).toEqual(replayAgentEvents(events.slice(0, 2)))
      await resume().unwrap()
      await rest()
      expect(opened()).toEqual(['open', '1', '1'])
      expect(connection('r1')).toMatchObject({ state: 'unrecoverable' })
    },
  )

  it('for now is tried again', async () => {
    const error = Object.assign(lost(), { code: 'resume_unavailable' })
    const { start, retryAfter, opened, state } = createResumableRun({
      events,
      plan: ({ index }) => (index < 2 ? { cutAfterChunks: index === 0 ? 2 : 0, error } : {}),
    })
    const task = start()
    await retryAfter(500)
    await retryAfter(1000)
    await task.unwrap()
    expect(opened()).toEqual(['open', '1', '1'])
    expect(state()).toEqual(replayAgentEvents(events))
  })

  it('the first one, by a server that never heard of the run: the same request goes once more', async () => {
    const { start, retryAfter, opened, state, errors, provider } = createResumableRun({
      steps: [{ events: [], cursor: 'begin' }, ...events.map((event) => ({ events: [event] }))],
      plan: ({ index }) =>
        index === 0 ? { cutAfterChunks: 1 } : index === 1 ? { cutAfterChunks: 0, error: refused(404) } : {},
    })
    const task = start()
    await retryAfter(500)
    await task.unwrap()
    expect(opened()).toEqual(['open', 'begin', 'open'])
    expect(provider.calls.opens.map(({ runId, input }) => [runId, input])).toEqual([
      ['r1', 'go'],
      ['r1', 'go'],
    ])
    expect(errors()).toEqual([])
    expect(state()).toEqual(replayAgentEvents(events))
  })

  it('the first one, a second time, cannot be recovered', async () => {
    let begun = 0
    const { start, retryAfter, opened, connection, delays } = createResumableRun({
      steps: () => [{ events: [], cursor: `begin${(begun += 1)}` }],
      plan: ({ kind }) => (kind === 'open' ? { cutAfterChunks: 1 } : { cutAfterChunks: 0, error: refused(404) }),
    })
    const task = start()
    await retryAfter(500)
    await retryAfter(1000)
    await task.unwrap()
    expect(opened()).toEqual(['open', 'begin1', 'open', 'begin2'])
    expect(connection('r1')).toMatchObject({ state: 'unrecoverable' })
    expect(delays()).toEqual([])
  })
})

describe('the first connection', () => {
  it('of a dense run is tried again by the same request, as connecting', async () => {
    const { start, rest, retryAfter, connection, connections, opened, provider, state } = createResumableRun({
      events,
      plan: ({ index }) => (index < 2 ? { cutAfterChunks: 0 } : {}),
    })
    const task = start()
    await rest()
    expect(connection('r1')).toMatchObject({ state: 'connecting', attempt: 1, maxAttempts: 3 })
    await retryAfter(500)
    await retryAfter(1000)
    await task.unwrap()
    expect(connections()).toEqual(['connecting', 'connecting', 'connected', 'idle'])
    expect(opened()).toEqual(['open', 'open', 'open'])
    expect(new Set(provider.calls.opens.map(({ runId }) => runId))).toEqual(new Set(['r1']))
    expect(state()).toEqual(replayAgentEvents(events))
  })

  it('of a run that is not dense is not: nobody knows what the server has begun', async () => {
    const { start, connection, errors, opened } = createResumableRun({
      capabilities: { sequence: 'increasing' },
      events,
      plan: () => ({ cutAfterChunks: 0 }),
    })
    await start().unwrap()
    expect(opened()).toEqual(['open'])
    expect(errors()).toHaveLength(1)
    expect(connection('r1')).toMatchObject({ state: 'failed', canResume: false })
  })

  it('that never comes about has failed, and can be tried by hand', async () => {
    let isBroken = true
    const { start, resume, retryAfter, connection, connections, errors, state } = createResumableRun({
      events,
      plan: () => (isBroken ? { cutAfterChunks: 0 } : {}),
      reconnect: { maxAttempts: 1, initialDelay: 5 },
    })
    const task = start()
    await retryAfter(5)
    await task.unwrap()
    expect(connections()).toEqual(['connecting', 'failed'])
    expect(errors()).toHaveLength(1)
    expect(connection('r1')).toMatchObject({ canResume: true })
    isBroken = false
    await resume().unwrap()
    expect(state()).toEqual(replayAgentEvents(events))
  })
})

describe('a gap in a dense run', () => {
  const gapped = (closes: boolean, gate = createGate()) => {
    let connections = 0
    return createResumableRun({
      steps: () => {
        connections += 1
        const chunks = events.map((event) => ({ events: [event] }))
        return connections === 1
          ? [...chunks.slice(0, 2), { events: [events[3]!], cursor: '3' }, { gate }, ...(closes ? [] : chunks.slice(4))]
          : chunks
      },
    })
  }

  it('that does not close is resumed from the cursor before it', async () => {
    const { start, rest, retryAfter, connection, delays, opened, state, errors } = gapped(false)
    const task = start()
    await rest()
    expect(state()).toEqual(replayAgentEvents(events.slice(0, 2)))
    expect(connection('r1')).toMatchObject({ state: 'connected', cursor: '1' })
    expect(delays()).toEqual([2000])
    await retryAfter(2000)
    expect(connection('r1')).toMatchObject({ state: 'reconnecting', error: { code: 'sequence_gap' } })
    await retryAfter(500)
    await task.unwrap()
    expect(opened()).toEqual(['open', '1'])
    expect(errors()).toEqual([])
    expect(state()).toEqual(replayAgentEvents(events))
  })

  it('that is open when the stream ends is a loss', async () => {
    const gate = createGate()
    const { start, rest, retryAfter, opened, state } = gapped(true, gate)
    const task = start()
    await rest()
    gate.open()
    await retryAfter(500)
    await task.unwrap()
    expect(opened()).toEqual(['open', '1'])
    expect(state()).toEqual(replayAgentEvents(events))
  })

  it('that no resume closes ends in failure, and is not for the provider to transform', async () => {
    const { start, retryAfter, connection, errors, opened } = createResumableRun({
      steps: [{ events: [events[0]!] }, { events: [events[2]!] }, { gate: createGate() }],
      reconnect: { maxAttempts: 1, initialDelay: 5 },
    })
    const task = start()
    await retryAfter(2000)
    await retryAfter(5)
    await retryAfter(2000)
    await task.unwrap()
    expect(opened()).toEqual(['open', '0'])
    expect(errors()).toEqual([])
    expect(connection('r1')).toMatchObject({ state: 'failed', error: { code: 'sequence_gap' } })
  })
})

describe('a run that waits for a person', () => {
  const run = createRun('r1')
  const waiting = [run.create('run.started', {}), run.create('approval.requested', { approvalId: 'a' })]
  const granted = run.create('approval.resolved', { approvalId: 'a', decision: 'approved' })
  const rest = [run.create('task.created', { taskId: 'one', title: 'One' }), run.create('run.completed', {})]
  const chunksOf = (list: readonly AgentEvent[]) => list.map((event) => ({ events: [event] }))
  const all = [...waiting, granted, ...rest]

  function park(answer: readonly AgentEvent[] | Error = [granted]) {
    let isAnswered = false
    const harness = createResumableRun({
      steps: () => chunksOf(isAnswered ? all : waiting),
      commands: {
        'approval.resolve': () => {
          isAnswered = true
          return [answer instanceof Error ? { error: answer } : { events: answer }]
        },
      },
    })
    const { store, agent } = harness
    const approve = () =>
      store.dispatch(agent.actions.resolveApproval({ runId: 'r1', approvalId: 'a', decision: 'approved' }))
    return { ...harness, approve }
  }

  it('is idle, and nothing reconnects', async () => {
    const { start, connection, delays, sleepers, opened } = park()
    await start().unwrap()
    expect(connection('r1')).toMatchObject({ state: 'idle', detached: false })
    expect(delays()).toEqual([])
    expect(sleepers()).toBe(0)
    expect(opened()).toEqual(['open'])
  })

  it.each([
    ['once the answer is given', [granted]],
    ['where the answer’s event does not come with it', []],
    ['where it is not known what became of the answer', lost()],
  ])('is followed again from its cursor, %s', async (_, answer) => {
    const { start, approve, connection, opened, state, errors, rest: settle } = park(answer)
    await start().unwrap()
    await approve()
    await settle()
    expect(opened()).toEqual(['open', '1'])
    expect(errors()).toEqual([])
    expect(state()).toEqual(replayAgentEvents(all))
    expect(connection('r1')).toMatchObject({ state: 'idle' })
  })

  it('is not followed once it was let go of', async () => {
    const { start, approve, store, agent, opened, rest: settle } = park()
    await start().unwrap()
    store.dispatch(agent.actions.abortRun({ runId: 'r1' }))
    await approve()
    await settle()
    expect(opened()).toEqual(['open'])
  })

  it('but whose wire breaks is lost as any other', async () => {
    const { start, retryAfter, opened, connection } = createResumableRun({
      events: waiting,
      plan: ({ index }) => (index === 0 ? { cutAfterChunks: 2 } : {}),
    })
    const task = start()
    await retryAfter(500)
    await task.unwrap()
    expect(opened()).toEqual(['open', '1'])
    expect(connection('r1')).toMatchObject({ state: 'idle' })
  })
})

describe('a command that is answered while the wire is lost', () => {
  it('is a sign of life: the next attempt is made at once', async () => {
    const run = createRun('r1')
    const opening = [run.create('run.started', {}), run.create('approval.requested', { approvalId: 'a' })]
    const granted = run.create('approval.resolved', { approvalId: 'a', decision: 'approved' })
    const end = run.create('run.completed', {})
    const harness = createResumableRun({
      events: [...opening, granted, end],
      plan: ({ index }) => (index === 0 ? { cutAfterChunks: 2 } : {}),
      commands: { 'approval.resolve': [{ events: [granted] }] },
    })
    const { start, rest, store, agent, state, opened } = harness
    const task = start()
    await rest()
    await store
      .dispatch(agent.actions.resolveApproval({ runId: 'r1', approvalId: 'a', decision: 'approved' }))
      .unwrap()
    await task.unwrap()
    expect(opened()).toEqual(['open', '1'])
    expect(state()).toEqual(replayAgentEvents([...opening, granted, end]))
  })

  it('may end the run: nothing is tried any more', async () => {
    const run = createRun('r1')
    const opening = [run.create('run.started', {})]
    const cancelled = run.create('run.cancelled', {})
    const { start, rest, store, agent, state, opened, connection, delays } = createResumableRun({
      events: opening,
      plan: () => ({ cutAfterChunks: 1 }),
      commands: { 'run.cancel': [{ events: [cancelled] }] },
    })
    const task = start()
    await rest()
    await store.dispatch(agent.actions.cancelRun({ runId: 'r1' })).unwrap()
    await task.unwrap()
    expect(opened()).toEqual(['open'])
    expect(state()).toEqual(replayAgentEvents([...opening, cancelled]))
    expect(connection('r1')).toMatchObject({ state: 'idle', detached: false })
    expect(delays()).toEqual([])
  })
})

describe('resumeRun', () => {
  it('takes up one wire at a time: the one before it says nothing any more', async () => {
    const gate = createGate()
    const { start, resume, rest, store, agent, opened, state, provider, connection } = createResumableRun({
      steps: [...events.slice(0, 2).map((event) => ({ events: [event] })), { gate }, { events: events.slice(2) }],
    })
    const task = start()
    await rest()
    expect(resume().runId).toBe('r1')
    expect(opened()).toEqual(['open'])
    store.dispatch(agent.actions.abortRun({ runId: 'r1' }))
    const again = resume()
    expect(provider.calls.opens[0]!.signal.aborted).toBe(true)
    await task.unwrap()
    expect(connection('r1')?.state).toBe('reconnecting')
    gate.open()
    await again.unwrap()
    expect(opened()).toEqual(['open', '1'])
    expect(state()).toEqual(replayAgentEvents(events))
  })

  it('is refused where there is no such run, or it has ended', async () => {
    const { start, store, agent } = createResumableRun({ events })
    await start().unwrap()
    const resume = (runId: string) => () => store.dispatch(agent.actions.resumeRun({ runId }))
    expect(resume('r1')).toThrow(expect.objectContaining({ code: 'run_ended' }))
    for (const runId of ['r2', 'constructor', '__proto__']) {
      expect(resume(runId)).toThrow(expect.objectContaining({ code: 'missing_run' }))
    }
  })

  it('is refused where the provider cannot, or nothing says where to go on', async () => {
    const cut = { events, plan: () => ({ cutAfterChunks: 2 }) }
    const unable = createResumableRun({ ...cut, capabilities: { resumable: false } })
    await unable.start().unwrap()
    expect(unable.connection('r1')).toMatchObject({ state: 'unrecoverable', canResume: false })
    expect(() => unable.resume()).toThrow(expect.objectContaining({ code: 'not_resumable' }))
    const pointless = createResumableRun({ ...cut, harness: { reconnect: false } })
    pointless.provider.transport.getCursor = () => undefined
    await pointless.start().unwrap()
    expect(() => pointless.resume()).toThrow(expect.objectContaining({ code: 'not_resumable' }))
  })

  it('is refused where the run’s input is not known here', () => {
    const { store, agent } = createResumableRun({ events })
    const connection = {
      runId: 'r9',
      sessionId: 's1',
      providerId: 'scripted',
      state: 'unrecoverable',
      detached: false,
      cursor: '3',
      updatedAt: 1,
    } as const
    store.dispatch(agent.events.runRestored({ connection, isLatest: true }))
    expect(() => store.dispatch(agent.actions.resumeRun({ runId: 'r9' }))).toThrow(
      expect.objectContaining({ code: 'not_resumable' }),
    )
  })

  it('by an action that nobody asked for sends nothing', async () => {
    const { start, store, agent, opened, rest, connection } = createResumableRun({
      events,
      plan: () => ({ cutAfterChunks: 2, error: refused(500) }),
    })
    await start().unwrap()
    store.dispatch(agent.events.runResumed({ runId: 'r1', at: 1 }))
    store.dispatch(agent.events.runResumed({ runId: 'constructor', at: 1 }))
    await rest()
    expect(opened()).toEqual(['open'])
    expect(connection('r1')).toMatchObject({ runId: 'r1' })
  })

  it('is given a provider object anew by its id', async () => {
    const { start, store, agent, resume, state, opened, rest } = createResumableRun({
      events,
      plan: () => ({ cutAfterChunks: 2, error: refused(500) }),
    })
    await start().unwrap()
    // Another object of the same id does not take a run over from the one that started it.
    const other = createScriptedProvider({ id: 'scripted', steps: [] })
    await store.dispatch(agent.actions.startRun({ sessionId: 's2', provider: other, input: null }))
    await resume()
    await rest()
    expect(opened()).toEqual(['open', '1'])
    expect(state().runs.r1).toBeDefined()
  })
})

function withRequesting(options: Parameters<typeof createResumableRun>[0]) {
  const harness = createResumableRun(options)
  return {
    ...harness,
    isRequesting: () => harness.selectors.selectIsRequesting(harness.store.getState(), 's1'),
  }
}
