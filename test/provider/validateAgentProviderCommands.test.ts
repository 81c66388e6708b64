import {
  agentEventTypes,
  createAgentCommandFactory,
  createInitialAgentState,
  type AgentCommand,
  type AgentEvent,
} from 'redux-agent'
import { createGate, createScriptedProvider, validateAgentProviderCommands } from 'redux-agent/testing'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createListProvider, makeEvents, run, type ListProvider } from './fixtures.ts'

const commands = createAgentCommandFactory({ ...run, createCommandId: () => 'c1' })
const cancel = commands.create('run.cancel', {})
const cancelled = makeEvents(4).create('run.cancelled', {})
const capabilities = {
  eventTypes: agentEventTypes,
  transports: ['async-iterable' as const],
  commands: ['run.cancel' as const],
}
afterEach(() => void vi.useRealTimers())

type Execute = NonNullable<ListProvider['executeCommand']>

/** Timers that go off at once, in turn. */
const hastyTimers = {
  setTimeout: (callback: () => void) => setImmediate(callback),
  clearTimeout: (handle: unknown) => clearImmediate(handle as NodeJS.Immediate),
}

const validate = (executeCommand: Execute | undefined, changes: Partial<ListProvider> = {}, command = cancel) =>
  validateAgentProviderCommands({
    provider: createListProvider([], { capabilities, ...(executeCommand && { executeCommand }), ...changes }),
    commands: [{ command, initialSequence: 4 }],
    timers: hastyTimers,
  })

const answer = (events: readonly unknown[]): Execute =>
  async function* () {
    yield* events as AgentEvent[]
  }

describe('validateAgentProviderCommands', () => {
  it('has nothing against a provider that keeps the contract', async () => {
    expect(await validate(answer([cancelled]))).toEqual([])
    expect(await validate(answer([]))).toEqual([])
    const retry = commands.create('tool.retry', { toolCallId: 't1' })
    const provider = createScriptedProvider({
      steps: [],
      commands: {
        'run.cancel': [{ events: (events) => [events.create('run.cancelled', {})] }],
        'tool.retry': [
          { events: (events) => [events.create('tool.requested', { toolCallId: 't2', name: 'x', retryOf: 't1' })] },
        ],
      },
    })
    const samples = [cancel, retry].map((command) => ({ command, initialSequence: 9 }))
    expect(await validateAgentProviderCommands({ provider, commands: samples })).toEqual([])
    expect(provider.calls.commands).toEqual([cancel, retry])
  })

  it('has nothing against one that takes no command, nor against one that refuses what it does not declare', async () => {
    const silent = { capabilities: { ...capabilities, commands: undefined } }
    expect(await validate(undefined, silent)).toEqual([])
    const refuse = () => {
      throw new Error('No.')
    }
    expect(await validate(refuse, silent)).toEqual([])
    const reject: Execute = async function* () {
      yield* []
      refuse()
    }
    expect(await validate(reject, silent)).toEqual([])
  })

  it('lets a provider read the state that it is given', async () => {
    const state = createInitialAgentState()
    const seen: unknown[] = []
    const provider = createListProvider([], {
      capabilities,
      async *executeCommand(_, { getAgentState }) {
        seen.push(getAgentState?.())
        yield* []
      },
    })
    const sample = { command: cancel, initialSequence: 4 }
    const options = { provider, commands: [sample], timers: hastyTimers }
    expect(await validateAgentProviderCommands({ ...options, getAgentState: () => state })).toEqual([])
    expect(await validateAgentProviderCommands(options)).toEqual([])
    expect(seen).toEqual([state, undefined])
  })

  it('lets a dense provider repeat what is known', async () => {
    const dense = { capabilities: { ...capabilities, sequence: 'dense' as const } }
    const known = makeEvents(2).create('task.created', { taskId: 't', title: 'x' })
    expect(await validate(answer([known, cancelled]), dense)).toEqual([])
  })

  it('finds commands that are declared without executeCommand', async () => {
    const [issue, ...others] = await validate(undefined)
    expect(issue).toMatchObject({ code: 'missing_execute_command', message: expect.stringContaining('"run.cancel"') })
    expect(others).toEqual([])
  })

  it('finds a command that is taken and not declared', async () => {
    const retry = commands.create('tool.retry', { toolCallId: 't1' }) as AgentCommand
    const issues = await validate(answer([]), {}, retry as typeof cancel)
    expect(issues).toMatchObject([{ code: 'undeclared_command', commandId: 'c1' }])
  })

  it('finds a sample that is no command, and does not send it', async () => {
    const broken = { ...cancel, runId: '' }
    expect(
      await validate(
        () => {
          throw new Error('Sent.')
        },
        {},
        broken,
      ),
    ).toMatchObject([{ code: 'invalid_command' }])
  })

  const undeclaring = { capabilities: { ...capabilities, eventTypes: ['run.failed' as const] } }
  it.each<[string, unknown, Partial<ListProvider>]>([
    ['invalid_event', { ...cancelled, payload: null }, {}],
    ['foreign_event', { ...cancelled, runId: 'r2' }, {}],
    ['foreign_event', { ...cancelled, sessionId: 's2' }, {}],
    ['undeclared_event_type', cancelled, undeclaring],
    ['invalid_sequence', { ...cancelled, sequence: 4 }, {}],
    ['invalid_sequence', { ...cancelled, sequence: 1 }, {}],
  ])('finds an event of an answer that is %s', async (code, event, changes) => {
    expect(await validate(answer([event]), changes)).toMatchObject([
      { code, commandId: 'c1', eventId: cancelled.eventId },
    ])
  })

  it('finds events out of sequence among themselves, and goes on with the others', async () => {
    const events = makeEvents(4)
    const [first, second] = [
      events.create('task.created', { taskId: 't', title: 'x' }),
      events.create('task.completed', { taskId: 't' }),
    ]
    const issues = await validate(answer([second, first, null]))
    expect(issues.map(({ code, eventId }) => [code, eventId])).toEqual([
      ['invalid_sequence', first.eventId],
      ['invalid_event', undefined],
    ])
  })

  it('finds an executeCommand that throws before it answers, and one whose answer is none', async () => {
    const issues = await validate(() => {
      throw new Error('Down.')
    })
    expect(issues).toMatchObject([{ code: 'synchronous_throw', message: expect.stringContaining('Down.') }])
    for (const value of [undefined, null, [cancelled], Promise.resolve([])]) {
      expect(await validate(() => value as never)).toMatchObject([{ code: 'invalid_answer' }])
    }
  })

  it('finds a declared command that is not granted', async () => {
    const reject: Execute = async function* () {
      yield cancelled
      throw 'Not implemented.'
    }
    expect(await validate(reject)).toMatchObject([
      { code: 'rejected_command', message: expect.stringContaining('Not implemented.') },
    ])
  })

  it('finds an answer that does not end, and whether an abort closes it', async () => {
    const heeding = createScriptedProvider({ steps: [], commands: { 'run.cancel': [{ gate: createGate() }] } })
    expect(
      await validateAgentProviderCommands({
        provider: heeding,
        commands: [{ command: cancel, initialSequence: 4 }],
        timers: hastyTimers,
      }),
    ).toMatchObject([{ code: 'unended_answer' }])

    const deaf: Execute = () => ({ [Symbol.asyncIterator]: () => ({ next: () => new Promise<never>(() => {}) }) })
    expect(await validate(deaf)).toMatchObject([{ code: 'unended_answer' }, { code: 'ignored_abort' }])

    const late: Execute = async function* (_command, { signal }) {
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
      yield cancelled
    }
    expect(await validate(late)).toMatchObject([
      { code: 'unended_answer' },
      { code: 'event_after_abort', eventId: cancelled.eventId },
    ])
  })

  it('finds an answer that goes on and on, also where it leaves no timer its turn', async () => {
    const issues = await validate(async function* () {
      for (let sequence = 5; ; sequence += 1) {
        yield makeEvents(sequence - 1).create('task.created', { taskId: `t${sequence}`, title: 'x' })
      }
    })
    expect(issues.map(({ code }) => code)).toEqual(['unended_answer', 'event_after_abort'])
  })

  it.each([
    [0, []],
    [Infinity, []],
    [2 ** 31, [2 ** 31 - 1]],
  ])('waits as long as it is told: %d', async (timeout, expected) => {
    const delays: number[] = []
    const gate = createGate()
    const provider = createScriptedProvider({
      steps: [],
      commands: { 'run.cancel': [{ gate }, { events: [cancelled] }] },
    })
    const validating = validateAgentProviderCommands({
      provider,
      commands: [{ command: cancel, initialSequence: 4 }],
      timeout,
      timers: { setTimeout: (_callback, delay) => delays.push(delay), clearTimeout: () => undefined },
    })
    await gate.reached
    gate.open()
    expect(await validating).toEqual([])
    expect(delays).toEqual(expected)
  })

  it('waits five seconds by the clock of its host where it is given no other', async () => {
    vi.useFakeTimers()
    const provider = createScriptedProvider({ steps: [], commands: { 'run.cancel': [{ gate: createGate() }] } })
    const validating = validateAgentProviderCommands({ provider, commands: [{ command: cancel, initialSequence: 4 }] })
    await vi.advanceTimersByTimeAsync(4999)
    expect(vi.getTimerCount()).toBe(1)
    await vi.advanceTimersByTimeAsync(1)
    expect(await validating).toMatchObject([{ code: 'unended_answer' }])
    expect(vi.getTimerCount()).toBe(0)
  })
})
