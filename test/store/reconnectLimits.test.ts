import { replayAgentEvents } from 'redux-agent'
import { createGate } from 'redux-agent/testing'
import { describe, expect, it } from 'vitest'
import { endOfTask, expectSilentConsole } from './createHarness.ts'
import { createResumableRun, lost, refused } from './createResumableRun.ts'
import { createShortRun } from './createRunEvents.ts'
import { noticeUncaught } from './noticeUncaught.ts'

expectSilentConsole()

const events = createShortRun('r1')

const { uncaught } = noticeUncaught()

describe('what never reconnects', () => {
  it.each([
    ['an error that is not retryable', { error: refused(401) }, {}],
    [
      'an abort that was not ours, whatever the provider says of it',
      { error: Object.assign(new Error('Aborted.'), { name: 'AbortError' }) },
      { classifyError: () => ({ retryable: true }) },
    ],
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
    // What a full batch met there is reported as well, and stops no other.
    expect(uncaught).toHaveBeenCalled()
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
