import {
  AgentTransportError,
  createAsyncIterableTransport,
  createAgentCommandFactory,
  runAgentCommand,
  runAgentProvider,
  type AgentEvent,
} from 'redux-agent'
import { createFaultyFetch, createFaultyTransport, createGate, createScriptedProvider } from 'redux-agent/testing'
import { describe, expect, it } from 'vitest'
import { makeEvents, run } from './fixtures.ts'

const signal = new AbortController().signal
async function readAll<Chunk>(chunks: AsyncIterable<Chunk>) {
  const read: Chunk[] = []
  try {
    for await (const chunk of chunks) read.push(chunk)
    return { read, error: undefined }
  } catch (error) {
    return { read, error: error as unknown }
  }
}

describe('createGate', () => {
  it('holds whoever passes until it is opened, and says that they came', async () => {
    const gate = createGate()
    const order: string[] = []
    const passing = gate.pass().then(() => order.push('passed'))
    await gate.reached
    order.push('opening')
    gate.open()
    await passing
    await gate.opened
    await gate.pass()
    expect(order).toEqual(['opening', 'passed'])
  })

  it('lets nobody pass after an abort', async () => {
    const controller = new AbortController()
    const gate = createGate()
    const passing = gate.pass(controller.signal)
    controller.abort('enough')
    await expect(passing).rejects.toBe('enough')
    await expect(gate.pass(controller.signal)).rejects.toBe('enough')
  })
})

describe('createScriptedProvider', () => {
  it('plays start, steps and flush, and notes what was asked of it', async () => {
    const provider = createScriptedProvider<string>({
      id: 'played',
      start: (events) => [events.create('run.started', {})],
      steps: (input) => [{ events: (events) => [events.create('session.started', { title: input })] }],
      flush: (events) => [events.create('run.completed', {})],
    })
    const events: AgentEvent[] = []
    await runAgentProvider({ provider, input: 'Hi', run, onEvent: (event) => events.push(event) })
    expect(events.map(({ type }) => type)).toEqual(['run.started', 'session.started', 'run.completed'])
    expect(events[1]).toMatchObject({ payload: { title: 'Hi' } })
    expect(provider.id).toBe('played')
    expect(provider.calls.starts).toEqual(['Hi'])
    expect(provider.calls.opens).toMatchObject([{ input: 'Hi', runId: 'r1' }])
  })

  it('ends by an error where the script says so, which classifyError and transformError get', async () => {
    const lost = new Error('lost')
    const provider = createScriptedProvider({
      steps: [{ error: lost }],
      classifyError: (error) => ({ retryable: error === lost }),
      transformError: (error, { events }) => [events.create('run.failed', { error: { message: String(error) } })],
    })
    const events: AgentEvent[] = []
    const retryable: boolean[] = []
    await runAgentProvider({
      provider,
      input: 'Hi',
      run,
      onEvent: (event) => events.push(event),
      onTransportError: (_error, details) => {
        retryable.push(details.retryable)
        return 'transform'
      },
    })
    expect(events).toMatchObject([{ type: 'run.failed', payload: { error: { message: 'Error: lost' } } }])
    expect(retryable).toEqual([true])
    expect(provider.calls.errors).toEqual([lost])
  })

  it('answers the commands that have steps, and no others', async () => {
    const provider = createScriptedProvider({
      steps: [],
      commands: {
        'run.cancel': (command) => [
          { events: (events) => [events.create('run.cancelled', { reason: `by ${command.commandId}` })] },
        ],
      },
    })
    const commands = createAgentCommandFactory({ ...run, createCommandId: () => 'c1' })
    const events: AgentEvent[] = []
    const send = (command: Parameters<typeof runAgentCommand>[0]['command']) =>
      runAgentCommand({ provider, command, initialSequence: 7, onEvent: (event) => events.push(event) })
    await send(commands.create('run.cancel', {}))
    await expect(send(commands.create('tool.retry', { toolCallId: 't1' }))).rejects.toThrow('does not support command')
    expect(events).toMatchObject([{ sequence: 8, payload: { reason: 'by c1' } }])
    expect(provider.calls.commands).toHaveLength(1)
  })
})

describe('createFaultyTransport', () => {
  const chunks = ['a', 'b', 'c']
  const transport = createAsyncIterableTransport<string, string>(
    async function* () {
      yield* chunks
    },
    {
      getCursor: (chunk) => chunk,
      resume: async function* (_request, cursor) {
        yield* chunks.slice(chunks.indexOf(cursor) + 1)
      },
    },
  )

  it('cuts each connection where its plan says, then lets it through', async () => {
    const faulty = createFaultyTransport(transport, ({ index }) => (index < 3 ? { cutAfterChunks: index } : {}))
    for (const expected of [[], ['a'], ['a', 'b']]) {
      const { read, error } = await readAll(faulty.open('r', signal))
      expect(read).toEqual(expected)
      expect(error).toBeInstanceOf(AgentTransportError)
      expect(error).toMatchObject({ code: 'network', retryable: true })
    }
    expect(await readAll(faulty.open('r', signal))).toEqual({ read: chunks, error: undefined })
  })

  it('cuts who reads along, where the transport lets read along', async () => {
    const kinds: string[] = []
    const plan = ({ kind }: { kind: string }) => {
      kinds.push(kind)
      return { cutAfterChunks: 1 }
    }
    const followable = { ...transport, follow: () => transport.open('r', signal) }
    const { read, error } = await readAll(createFaultyTransport(followable, plan).follow!({ ...run, after: 0 }, signal))
    expect(read).toEqual(['a'])
    expect(error).toMatchObject({ code: 'network', retryable: true })
    expect(kinds).toEqual(['follow'])
    expect(createFaultyTransport(transport, plan)).not.toHaveProperty('follow')
  })

  it('throws what it is told, or ends as if nothing had been', async () => {
    const mine = new Error('mine')
    const throwing = createFaultyTransport(transport, () => ({ cutAfterChunks: 1, error: mine }))
    expect(await readAll(throwing.open('r', signal))).toEqual({ read: ['a'], error: mine })
    const silent = createFaultyTransport(transport, () => ({ cutAfterChunks: 1, endSilently: true }))
    expect(await readAll(silent.open('r', signal))).toEqual({ read: ['a'], error: undefined })
  })

  it('repeats and holds back chunks', async () => {
    const gate = createGate()
    const faulty = createFaultyTransport(transport, () => ({
      repeat: (index) => index,
      delay: (index) => (index === 1 ? gate.pass() : undefined),
    }))
    const reading = readAll(faulty.open('r', signal))
    await gate.reached
    gate.open()
    expect((await reading).read).toEqual(['b', 'c', 'c'])
  })

  it('plans for resumes by their cursor, and keeps what the transport can do', async () => {
    const plans: unknown[] = []
    const faulty = createFaultyTransport(transport, (connection) => {
      plans.push(connection)
      return {}
    })
    expect(faulty.getCursor!('b')).toBe('b')
    expect((await readAll(faulty.resume!('r', 'a', signal))).read).toEqual(['b', 'c'])
    expect(plans).toEqual([{ index: 0, kind: 'resume', cursor: 'a' }])
    const plain = createFaultyTransport(createAsyncIterableTransport<string, string>(transport.open), () => ({}))
    expect('resume' in plain || 'getCursor' in plain).toBe(false)
  })

  it('delivers duplicates that a dense provider’s run survives', async () => {
    const log = [makeEvents(0).create('run.started', {}), makeEvents(1).create('run.completed', {})]
    const provider = createScriptedProvider({
      steps: log.map((event) => ({ events: [event] })),
      capabilities: { sequence: 'dense' },
    })
    const faulty = { ...provider, transport: createFaultyTransport(provider.transport, () => ({ repeat: () => 2 })) }
    const sequences: number[] = []
    await runAgentProvider({ provider: faulty, input: '', run, onEvent: ({ sequence }) => sequences.push(sequence) })
    expect(sequences).toEqual([1, 1, 2, 2])
  })
})

describe('createFaultyFetch', () => {
  const answer: typeof fetch = () =>
    Promise.resolve(new Response('0123456789', { status: 201, headers: { 'x-a': '1' } }))
  const readBytes = async (response: Response) => {
    const decoder = new TextDecoder()
    const { read, error } = await readAll(response.body!)
    return { pieces: read.map((piece) => decoder.decode(piece)), error }
  }

  it('splits a body and cuts it after so many bytes', async () => {
    const faulty = createFaultyFetch(answer, (index) =>
      index === 0 ? { pieceSize: 3, cutAfterBytes: 7 } : { pieceSize: 4, cutAfterBytes: 4, endSilently: true },
    )
    const first = await faulty('https://example.com')
    expect([first.status, first.headers.get('x-a')]).toEqual([201, '1'])
    const { pieces, error } = await readBytes(first)
    expect(pieces).toEqual(['012', '345', '6'])
    expect(error).toBeInstanceOf(TypeError)
    expect(await readBytes(await faulty('https://example.com'))).toEqual({ pieces: ['0123'], error: undefined })
  })

  it('lets a body through that it has no plan for, and an answer that has none', async () => {
    const faulty = createFaultyFetch(answer, () => ({}))
    expect(await (await faulty('https://example.com')).text()).toBe('0123456789')
    const empty = createFaultyFetch(
      () => Promise.resolve(new Response(null, { status: 204 })),
      () => ({}),
    )
    expect((await empty('https://example.com')).status).toBe(204)
  })
})
