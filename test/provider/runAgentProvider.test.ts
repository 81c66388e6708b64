import {
  agentEventTypes,
  AgentProviderProtocolError,
  createAsyncIterableTransport,
  isAgentProvider,
  runAgentProvider,
  type AgentEvent,
} from 'redux-agent'
import { describe, expect, it } from 'vitest'
import {
  codeOf,
  createListProvider,
  makeEvents,
  run,
  runToEnd,
  typesOf,
  unused,
  type ListProvider,
} from './fixtures.ts'

describe('a run', () => {
  it('goes from start over the chunks to flush, one context and one request for all', async () => {
    const steps: string[] = []
    const provider = createListProvider([], {
      createContext: (context) => {
        steps.push(`context ${context.sessionId} ${context.runId} ${context.events.getSequence()}`)
        return context
      },
      start: (text, { events }) => {
        steps.push(`start ${text}`)
        return [events.create('run.started', { input: text })]
      },
      prepareRequest: (text) => `request of ${text}`,
      transport: createAsyncIterableTransport(async function* (request) {
        steps.push(`open ${request}`)
        yield [makeEvents(0).create('message.started', { messageId: 'm1', role: 'assistant' })]
      }),
      transformChunk: (chunk, { events }) => [
        ...chunk,
        events.create('message.completed', { messageId: 'm1' }, { sequence: 2 }),
      ],
      flush: ({ events }) => [events.create('run.completed', {})],
      transformError: unused,
    })
    const events = await runToEnd(provider)
    expect(steps).toEqual(['context s1 r1 -1', 'start Hello', 'open request of Hello'])
    expect(typesOf(events)).toEqual(['run.started', 'message.started', 'message.completed', 'run.completed'])
    expect(events.map(({ sequence }) => sequence)).toEqual([0, 1, 2, 3])
  })

  it('hands events over as they are and before the next chunk is read', async () => {
    const [first, second] = [makeEvents().create('run.started', {}), makeEvents(0).create('run.completed', {})]
    const order: unknown[] = []
    const transport = createAsyncIterableTransport<string, readonly AgentEvent[]>(async function* () {
      yield [first]
      order.push('asked again')
      yield [second]
    })
    await runAgentProvider({
      provider: createListProvider([], { transport }),
      input: 'Hello',
      run,
      onEvent: (event) => order.push(event),
    })
    expect(order).toEqual([first, 'asked again', second])
    expect(order[0]).toBe(first)
  })

  it('tells of the connection once, before the first chunk’s events', async () => {
    const told: string[] = []
    const events = makeEvents()
    const chunks = [[events.create('run.started', {})], [], [events.create('run.completed', {})]]
    await runToEnd(createListProvider(chunks), {
      onConnected: () => told.push('connected'),
      onEvent: ({ type }) => told.push(type),
    })
    expect(told).toEqual(['connected', 'run.started', 'run.completed'])
  })
})

describe('the contract', () => {
  const untouched: Partial<ListProvider> = { createContext: unused, start: unused, prepareRequest: unused }

  it('is checked for the protocol before anything is called', async () => {
    const provider = createListProvider([], { ...untouched, id: 'x' })
    Object.assign(provider, { protocol: { name: 'agent-event', version: '0.2' } })
    const running = runToEnd(provider)
    await expect(running).rejects.toThrow('Provider "x" uses unsupported agent protocol "0.2"')
    await expect(running).rejects.toBeInstanceOf(AgentProviderProtocolError)
    await expect(running).rejects.toMatchObject({ code: 'unsupported_protocol' })
  })

  it('is checked for the protocol’s name', async () => {
    const provider = createListProvider([], untouched)
    Object.assign(provider, { protocol: { name: 'other', version: '0.1' } })
    expect(await codeOf(runToEnd(provider))).toBe('unsupported_protocol')
  })

  it('is checked for the transport before anything is called', async () => {
    const transport = createAsyncIterableTransport<string, readonly AgentEvent[]>(unused, { kind: 'websocket' })
    const running = runToEnd(createListProvider([], { ...untouched, transport }))
    await expect(running).rejects.toThrow('Provider "list" does not declare transport "websocket"')
    await expect(running).rejects.toMatchObject({ code: 'undeclared_transport' })
  })

  it('is told by the protocol’s name alone', () => {
    expect(isAgentProvider({ protocol: { name: 'agent-event' } })).toBe(true)
    expect(isAgentProvider(createListProvider([]))).toBe(true)
    for (const value of [undefined, null, 'agent-event', {}, { protocol: null }, { protocol: { name: 'chat' } }]) {
      expect(isAgentProvider(value)).toBe(false)
    }
  })
})

describe('an event that breaks the protocol', () => {
  const good = makeEvents().create('run.started', {})
  const next = makeEvents(0)
  const limited = { eventTypes: ['run.started' as const], transports: ['async-iterable' as const] }
  const faults: [string, string, Partial<ListProvider>, unknown][] = [
    ['invalid_event', 'emitted an invalid event', {}, { ...good, payload: null, sequence: 1 }],
    ['invalid_event', 'emitted an invalid event', {}, undefined],
    ['invalid_event', 'emitted an invalid event of type "run.waiting"', {}, { ...good, type: 'run.waiting' }],
    ['foreign_event', 'outside the active session or run', {}, { ...next.create('run.completed', {}), runId: 'r2' }],
    ['foreign_event', 'outside the active session or run', {}, { ...next.create('run.completed', {}), sessionId: 's2' }],
    [
      'undeclared_event_type',
      'emitted undeclared event type "run.completed"',
      { capabilities: limited },
      makeEvents(0).create('run.completed', {}),
    ],
    ['invalid_sequence', 'must be greater than 0', {}, { ...good, eventId: 'other' }],
  ]

  it.each(faults)('rejects as %s and is never transformed: %s', async (code, words, changes, event) => {
    const provider = createListProvider([[good, event as AgentEvent]], { ...changes, transformError: unused })
    const seen: AgentEvent[] = []
    const running = runToEnd(provider, { onEvent: (taken) => seen.push(taken) })
    await expect(running).rejects.toThrow(words)
    await expect(running).rejects.toMatchObject({ name: 'AgentProviderProtocolError', code })
    expect(seen).toEqual([good])
  })

  it('is found in what start, flush and transformError make as well', async () => {
    const invalid = [{ ...good, eventId: '' }]
    const failing = createAsyncIterableTransport<string, readonly AgentEvent[]>(() => {
      throw new Error('no wire')
    })
    expect(await codeOf(runToEnd(createListProvider([], { start: () => invalid })))).toBe('invalid_event')
    expect(await codeOf(runToEnd(createListProvider([], { flush: () => invalid })))).toBe('invalid_event')
    const provider = createListProvider([], { transport: failing, transformError: () => invalid })
    expect(await codeOf(runToEnd(provider))).toBe('invalid_event')
  })

  it('says nothing of the event’s content', async () => {
    const provider = createListProvider([[{ ...good, type: 'secret words', payload: { secret: 1 } } as never]])
    await expect(runToEnd(provider)).rejects.toThrow(/^Provider "list" emitted an invalid event\.$/)
  })

  it('may be no list at all', async () => {
    expect(await codeOf(runToEnd(createListProvider([], { start: () => undefined as never })))).toBe('invalid_event')
  })

  it('need not be dense unless the provider says so, but must come after initialSequence', async () => {
    const chunk = [makeEvents(4).create('run.started', {}), makeEvents(99).create('run.completed', {})]
    const provider = createListProvider([chunk])
    expect(await runToEnd(provider, { run: { ...run, initialSequence: 4 } })).toHaveLength(2)
    expect(await codeOf(runToEnd(provider, { run: { ...run, initialSequence: 5 } }))).toBe('invalid_sequence')
  })
})

describe('a dense provider', () => {
  const capabilities = {
    eventTypes: agentEventTypes,
    transports: ['async-iterable' as const],
    sequence: 'dense' as const,
  }
  const own = [makeEvents().create('run.started', {})]

  it.each([
    ['start', { start: () => own }],
    ['flush', { flush: () => own }],
    [
      'transformError',
      {
        transformError: () => own,
        transport: createAsyncIterableTransport<string, readonly AgentEvent[]>(() => {
          throw new Error('no wire')
        }),
      },
    ],
  ] as const)('must not make events in %s', async (_hook, changes) => {
    expect(await codeOf(runToEnd(createListProvider([], { ...changes, capabilities })))).toBe('dense_violation')
  })

  it('may deliver an event twice, and one ahead of its turn', async () => {
    const events = makeEvents(0)
    const [one, two, three] = [0, 1, 2].map(() => events.create('message.delta', { messageId: 'm', delta: 'x' }))
    const five = makeEvents(4).create('run.completed', {})
    const provider = createListProvider([[one!], [one!, two!], [two!, three!], [five]], { capabilities })
    expect(await runToEnd(provider, { run: { ...run, initialSequence: 0 } })).toEqual([one, one, two, two, three, five])
  })

  it('may repeat what was known before', async () => {
    const old = makeEvents(2).create('run.completed', {})
    const provider = createListProvider([[old]], { capabilities })
    expect(await runToEnd(provider, { run: { ...run, initialSequence: 7 } })).toEqual([old])
  })

  it('must not fall back into a gap that it left', async () => {
    const [one, three] = [makeEvents(0).create('run.started', {}), makeEvents(2).create('run.completed', {})]
    const two = makeEvents(1).create('session.started', {})
    expect(await codeOf(runToEnd(createListProvider([[one, three, two]], { capabilities })))).toBe('invalid_sequence')
  })
})
