import {
  AgentCommandRunnerError,
  agentEventTypes,
  AgentProviderProtocolError,
  createAgentCommandFactory,
  createAsyncIterableTransport,
  createSseTransport,
  runAgentCommand,
  type AgentEvent,
} from 'redux-agent'
import { validateAgentProviderCommands } from 'redux-agent/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readAll, answerWith } from '../transport/readSse.ts'
import { toBytes } from '../transport/sseInputs.ts'
import { createListProvider, makeEvents, run, runToEnd, unused, type ListProvider } from './fixtures.ts'

const unhandled: unknown[] = []
const onUnhandled = (reason: unknown) => void unhandled.push(reason)
beforeEach(() => void process.on('unhandledRejection', onUnhandled))
afterEach(() => {
  process.off('unhandledRejection', onUnhandled)
  unhandled.length = 0
})
/** Node tells of an unhandled rejection once the microtasks are done. */
const endOfTask = () => new Promise((resolve) => setImmediate(resolve))

const late = new Error('late')
const rejecting = () => Promise.reject(late) as never
const resolving = (value: unknown) => () => Promise.resolve(value) as never
const throwing = () => {
  throw new Error('broken')
}
const wire = (open: () => never) => createAsyncIterableTransport<string, readonly AgentEvent[]>(open)
const withCursor = (getCursor: () => never) =>
  createAsyncIterableTransport<string, readonly AgentEvent[]>(
    async function* () {
      yield []
    },
    { getCursor },
  )

describe('an asynchronous function of a provider', () => {
  it.each<[string, (result: () => never) => Partial<ListProvider>]>([
    ['createContext', (createContext) => ({ createContext })],
    ['start', (start) => ({ start })],
    ['prepareRequest', (prepareRequest) => ({ prepareRequest })],
    ['transport.open', (open) => ({ transport: wire(open) })],
    ['transformChunk', (transformChunk) => ({ transformChunk })],
    ['transport.getCursor', (getCursor) => ({ transport: withCursor(getCursor) })],
    ['flush', (flush) => ({ flush })],
    ['transformError', (transformError) => ({ start: throwing, transformError })],
    ['classifyError', (classifyError) => ({ transport: wire(throwing), classifyError })],
  ])('is refused by name, whatever becomes of its promise: %s', async (name, changes) => {
    for (const result of [rejecting, resolving([])]) {
      const running = runToEnd(createListProvider([[]], { transformError: unused, ...changes(result) }), {
        onCursor: () => undefined,
      })
      await expect(running).rejects.toBeInstanceOf(AgentProviderProtocolError)
      await expect(running).rejects.toMatchObject({ code: 'asynchronous_function' })
      await expect(running).rejects.toThrow(`Provider "list" returned a promise from ${name},`)
    }
    await endOfTask()
    expect(unhandled).toEqual([])
  })

  it('is refused in a dense provider as in any other', async () => {
    const capabilities = {
      eventTypes: agentEventTypes,
      transports: ['async-iterable' as const],
      sequence: 'dense' as const,
    }
    const running = runToEnd(createListProvider([], { capabilities, start: rejecting }))
    await expect(running).rejects.toMatchObject({ code: 'asynchronous_function' })
  })

  it('is refused where it takes a run up again', async () => {
    const capabilities = { eventTypes: agentEventTypes, transports: ['async-iterable' as const], resumable: true }
    const transport = createAsyncIterableTransport<string, readonly AgentEvent[]>(unused, { resume: rejecting })
    const running = runToEnd(createListProvider([], { capabilities, transport }), { resume: { cursor: 'c1' } })
    await expect(running).rejects.toThrow('returned a promise from transport.resume')
    await endOfTask()
    expect(unhandled).toEqual([])
  })

  it('is refused where it executes commands, by the runner and by the validator', async () => {
    const command = createAgentCommandFactory(run).create('run.cancel', {})
    const provider = createListProvider([], {
      capabilities: { eventTypes: agentEventTypes, transports: ['async-iterable'], commands: ['run.cancel'] },
      executeCommand: rejecting,
    })
    const running = runAgentCommand({ provider, command, initialSequence: 0, onEvent: unused })
    await expect(running).rejects.toBeInstanceOf(AgentCommandRunnerError)
    await expect(running).rejects.toMatchObject({ code: 'protocol_error' })
    await expect(running).rejects.toThrow('make executeCommand an async generator function')
    expect(await validateAgentProviderCommands({ provider, commands: [{ command, initialSequence: 0 }] })).toMatchObject([
      { code: 'invalid_answer', message: expect.stringContaining('async generator') },
    ])
    await endOfTask()
    expect(unhandled).toEqual([])
  })

  it.each(['parse', 'isEnd'])('is refused as %s of an event stream', async (name) => {
    const transport = createSseTransport<string, unknown>({
      request: () => ({ url: 'https://agent.example.com/stream' }),
      fetch: answerWith([toBytes('data: x\n\n')]),
      parse: (message) => message,
      ...{ [name]: rejecting },
    })
    const { error } = await readAll(transport.open('', new AbortController().signal))
    expect(error).toMatchObject({ code: 'invalid_frame', cause: { message: expect.stringContaining(name) as unknown } })
    await endOfTask()
    expect(unhandled).toEqual([])
  })
})

describe('an iterator that does not give objects', () => {
  const iterating = (next: () => unknown) =>
    createAsyncIterableTransport<string, readonly AgentEvent[]>(
      () => ({ [Symbol.asyncIterator]: () => ({ next }) }) as never,
    )

  it.each([[() => 5], [() => Promise.resolve('x')], [() => undefined], [() => null]])(
    'is a wire that broke: %s',
    async (next) => {
      const errors: unknown[] = []
      const transformError: ListProvider['transformError'] = (error) => {
        errors.push(error)
        return [makeEvents().create('run.started', {})]
      }
      expect(await runToEnd(createListProvider([], { transport: iterating(next), transformError }))).toHaveLength(1)
      expect(errors).toEqual([expect.any(TypeError)])
    },
  )

  it('is an answer that broke, and one that the validator reports', async () => {
    const command = createAgentCommandFactory(run).create('run.cancel', {})
    const provider = createListProvider([], {
      capabilities: { eventTypes: agentEventTypes, transports: ['async-iterable'], commands: ['run.cancel'] },
      executeCommand: () => ({ [Symbol.asyncIterator]: () => ({ next: () => 5 as never }) }),
    })
    const running = runAgentCommand({ provider, command, initialSequence: 0, onEvent: unused })
    await expect(running).rejects.toBeInstanceOf(TypeError)
    expect(await validateAgentProviderCommands({ provider, commands: [{ command, initialSequence: 0 }] })).toMatchObject([
      { code: 'rejected_command' },
    ])
  })
})

describe('an event that comes again on the main stream', () => {
  const events = makeEvents()
  const started = events.create('run.started', {})
  const first = events.create('message.started', { messageId: 'm1', role: 'assistant' }, { eventId: 'own id' })
  const second = events.create('message.completed', { messageId: 'm1' })

  it('is handed over again, as its id tells, to be absorbed', async () => {
    const chunks = [[started, first], [first, second], [started], [first, second], [second]]
    expect(await runToEnd(createListProvider(chunks))).toEqual(chunks.flat())
  })

  it('is out of sequence under another id, also after one that was absorbed', async () => {
    for (const sequence of [0, 1, 2]) {
      const other = { ...second, eventId: 'another id', sequence }
      const running = runToEnd(createListProvider([[started, first, second, first], [other]]))
      await expect(running).rejects.toMatchObject({ code: 'invalid_sequence' })
    }
  })

  it('is out of sequence where this wire never brought it', async () => {
    const running = runToEnd(createListProvider([[started]]), { run: { ...run, initialSequence: 3 } })
    await expect(running).rejects.toMatchObject({ code: 'invalid_sequence' })
  })

  it('is an invalid one where it throws when it is read', async () => {
    const hostile = new Proxy(started, { get: throwing, has: throwing })
    await expect(runToEnd(createListProvider([[hostile]]))).rejects.toMatchObject({ code: 'invalid_event' })
  })
})
