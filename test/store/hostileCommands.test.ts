import {
  AgentModuleError,
  agentEventTypes,
  replayAgentEvents,
  type AgentCommandError,
  type AgentEvent,
  type AgentProvider,
} from 'redux-agent'
import { describe, expect, it } from 'vitest'
import { createCommandRun, grant, inTurn } from './createCommandRun.ts'
import { endOfTask, expectSilentConsole } from './createHarness.ts'
import { createRun } from './createRunEvents.ts'

expectSilentConsole()

type Execute = NonNullable<AgentProvider<unknown, unknown, unknown>['executeCommand']>
type Answer = ReturnType<Execute>

const run = createRun('r1')
const at = (sequence: number) => ({ sequence })
const granted = run.create('approval.resolved', { approvalId: 'a', decision: 'approved' }, at(50))

/** A stream of what may be no events; no generator, which would wait for a promise that it yields. */
function streamOf(...events: readonly unknown[]): AsyncIterable<AgentEvent> {
  const waiting = events.map((value) => ({ done: false as const, value: value as AgentEvent }))
  const next = () => Promise.resolve(waiting.shift() ?? { done: true as const, value: undefined })
  return { [Symbol.asyncIterator]: () => ({ next }) }
}

/** An object of which one field throws when it is read. */
const trap = (base: object, field: string) =>
  Object.defineProperty({ ...base }, field, {
    enumerable: true,
    get() {
      throw new Error('Trapped.')
    },
  })

const throwing = (): never => {
  throw new Error('Trapped.')
}
/** A value that throws whatever it is asked. */
const hostile = new Proxy({}, { get: throwing, has: throwing, getPrototypeOf: throwing, ownKeys: throwing })

const throwError = (error: unknown): Execute => () => {
  throw error
}

const badAnswers: readonly (readonly [string, Execute, AgentCommandError['code']])[] = [
  ['throws at once', throwError(new Error('No.')), 'provider_error'],
  ['throws nothing', throwError(undefined), 'provider_error'],
  ['throws a value that throws', throwError(hostile), 'provider_error'],
  ['throws an error whose fields throw', throwError(trap(new Error('x'), 'decision')), 'provider_error'],
  ['gives itself up', throwError(new DOMException('x', 'AbortError')), 'interrupted'],
  ['answers with nothing', () => undefined as never, 'protocol_error'],
  ['answers with a list', () => [granted] as never, 'protocol_error'],
  ['answers with a promise', () => Promise.resolve(streamOf(granted)) as never, 'protocol_error'],
  ['answers with a promise that rejects', () => Promise.reject(new Error('No.')) as never, 'protocol_error'],
  ['answers with a value that throws', () => hostile as never, 'provider_error'],
  [
    'answers with a stream that has no iterator',
    () => ({ [Symbol.asyncIterator]: () => null }) as never,
    'provider_error',
  ],
  [
    'answers with results that are none',
    () => ({ [Symbol.asyncIterator]: () => ({ next: async () => 'x' }) }) as never,
    'provider_error',
  ],
  ['emits what is no event', () => streamOf('x'), 'protocol_error'],
  ['emits a promise of an event', () => streamOf(new Promise(() => undefined), granted), 'protocol_error'],
  ['emits an event with a field that throws', () => streamOf(trap(granted, 'payload')), 'protocol_error'],
  ['emits a value that throws', () => streamOf(hostile), 'protocol_error'],
  ['emits an invalid event', () => streamOf({ ...granted, payload: { approvalId: 'a' } }), 'protocol_error'],
  ['emits an event of another run', () => streamOf({ ...granted, runId: 'r2' }), 'protocol_error'],
  ['emits an event of another session', () => streamOf({ ...granted, sessionId: 's2' }), 'protocol_error'],
  [
    'emits an undeclared event',
    () => streamOf(run.create('artifact.created', { artifactId: 'x', name: 'x' }, at(50))),
    'protocol_error',
  ],
  ['breaks', () => streamThen(new Error('Cut.')), 'provider_error'],
  ['breaks by an abort of its own', () => streamThen(new DOMException('x', 'AbortError')), 'interrupted'],
]

// eslint-disable-next-line require-yield
async function* streamThen(error: unknown): AsyncGenerator<AgentEvent> {
  await endOfTask()
  throw error
}

const createBadRun = async (execute: Execute, options: { sequence?: 'dense'; stays: boolean }) => {
  const { sequence, stays } = options
  const bad = await createCommandRun({
    answers: { 'approval.resolve': [], 'tool.retry': [], 'run.cancel': [] },
    capabilities: {
      ...(sequence && { sequence }),
      eventTypes: agentEventTypes.filter((type) => !type.startsWith('artifact.')),
    },
    stays,
  })
  const take = bad.provider.executeCommand!
  Object.assign(bad.provider, { executeCommand: execute })
  return { ...bad, heal: () => Object.assign(bad.provider, { executeCommand: take }) }
}

const kinds = [
  ['of a plain provider', { stays: true }],
  ['of a plain provider whose run is parked', { stays: false }],
  ['of a dense provider', { stays: true, sequence: 'dense' as const }],
] as const

describe.each(kinds)('a command %s', (_kind, kind) => {
  it.each(badAnswers)('that %s fails by one typed error, and the facts are untouched', async (_, execute, code) => {
    const bad = await createBadRun(execute, kind)
    const before = bad.state()
    await expect(bad.approve().unwrap()).rejects.not.toBeNull()
    await endOfTask()
    const [entry, ...others] = bad.commands()
    expect(others).toEqual([])
    expect(entry).toMatchObject({ status: 'failed', error: { code } })
    expect(JSON.parse(JSON.stringify(entry))).toEqual(entry)
    expect(bad.state()).toEqual(before)
    expect(bad.delays()).toEqual([])
    expect(bad.connection('r1')?.state).toBe(kind.stays ? 'connected' : 'idle')
    // It holds up no other.
    bad.heal()
    await bad.retry().unwrap()
  })

  it('that never answers fails in time, whatever it does when it is closed, and later', async () => {
    for (const close of [
      undefined,
      throwing,
      () => new Promise<never>(() => undefined),
      () => Promise.reject(new Error('No.')),
    ]) {
      let answer: ((result: IteratorResult<AgentEvent>) => void) | undefined
      const next = () => new Promise<IteratorResult<AgentEvent>>((resolve) => (answer = resolve))
      const stream = { [Symbol.asyncIterator]: () => ({ next, ...(close && { return: close }) }) } as Answer
      const bad = await createBadRun(() => stream, kind)
      const before = bad.state()
      const sent = bad.approve()
      await endOfTask()
      bad.fireTimers(10_000)
      await expect(sent.unwrap()).rejects.toMatchObject({ code: 'command_timeout', retryable: true })
      answer!({ done: false, value: granted })
      await endOfTask()
      expect(bad.state()).toEqual(before)
      expect(bad.commands()).toMatchObject([{ status: 'failed', error: { code: 'provider_error' } }])
      bad.heal()
      await bad.retry().unwrap()
      expect(bad.delays()).toEqual([])
    }
  })
})

describe('a command of a plain provider', () => {
  it('fails where its answer goes back, after what was in order', async () => {
    const early = run.create('task.created', { taskId: 't', title: 'x' }, at(50))
    const late = run.create('task.completed', { taskId: 't' }, at(49))
    const bad = await createBadRun(() => streamOf(early, late), { stays: true })
    await expect(bad.approve().unwrap()).rejects.toMatchObject({ code: 'protocol_error' })
    expect(bad.state()).toEqual(replayAgentEvents([...bad.opening, early]))
  })
})

describe('a provider that gives a command up by itself', () => {
  it('has it fail as interrupted, to be asked for again under its key', async () => {
    const bad = await createCommandRun({
      answers: { 'approval.resolve': inTurn([{ error: new DOMException('token=1', 'AbortError') }], []) },
    })
    await expect(bad.approve().unwrap()).rejects.toMatchObject({ name: 'AbortError' })
    expect(bad.commands()).toMatchObject([{ status: 'failed', error: { code: 'interrupted', retryable: true } }])
    expect(bad.commands()[0]!.error).not.toHaveProperty('reason')
    expect(JSON.stringify(bad.commands())).not.toContain('token=1')
    await bad.approve().unwrap()
    expect(bad.sent()).toEqual(['r1:command:c1', 'r1:command:c1'])
  })

  it('may say that it is not to be asked for again', async () => {
    const error = Object.assign(new AgentModuleError({ name: 'AbortError', code: 'gone', message: 'x' }), {
      retryable: false,
    })
    const bad = await createCommandRun({ answers: { 'approval.resolve': [{ error }] } })
    await bad.approve()
    expect(bad.commands()).toMatchObject([{ error: { code: 'interrupted', retryable: false } }])
  })
})

describe('a provider whose commands are no list', () => {
  it.each([{ includes: () => true }, 'approval.resolve', null])('takes none: %o', async (commands) => {
    const bad = await createCommandRun({ answers: {}, capabilities: { commands: commands as never } })
    await expect(bad.approve().unwrap()).rejects.toMatchObject({ code: 'unsupported_capability' })
    expect(bad.commands()).toEqual([])
  })
})

describe('an answer of 10,000 events', () => {
  it('is taken whole, and the host has its turns meanwhile', async () => {
    const bad = await createBadRun(() => say(), { stays: true })
    const count = 10_000
    async function* say(): AsyncGenerator<AgentEvent> {
      yield granted
      yield run.create('message.started', { messageId: 'm', role: 'assistant' }, at(51))
      for (let index = 0; index < count; index += 1) {
        bad.advance(0.1)
        yield run.create('message.delta', { messageId: 'm', delta: 'x' }, at(52 + index))
      }
    }
    let isDone = false
    const sent = bad.approve().then(() => (isDone = true))
    let turns = 0
    for (; !isDone; turns += 1) await endOfTask()
    await sent
    // It takes a second by its clock, in slices of 10 ms.
    expect(turns).toBeGreaterThan(50)
    expect(bad.state().messages['2:r1:m']?.content).toBe('x'.repeat(count))
    expect(bad.state().issues).toEqual([])
    expect(bad.commands()).toMatchObject([{ status: 'succeeded' }])
  })
})

describe('what a command holds', () => {
  it('is a copy: whoever writes into what was passed makes another command of the next one', async () => {
    const data = { amount: 1, to: ['x'] }
    const bad = await createCommandRun({
      answers: { 'approval.resolve': inTurn([{ error: new Error('Down.') }], [{ error: new Error('Down.') }], []) },
    })
    await bad.approve('a', data)
    data.to.push('y')
    await bad.approve('a', data)
    await bad.approve('a', { amount: 1, to: ['x', 'y'] }).unwrap()
    expect(bad.sent()).toEqual(['r1:command:c1', 'r1:command:c2', 'r1:command:c2'])
    expect(bad.provider.calls.commands.map(({ payload }) => (payload as { data?: unknown }).data)).toEqual([
      { amount: 1, to: ['x'] },
      { amount: 1, to: ['x', 'y'] },
      { amount: 1, to: ['x', 'y'] },
    ])
  })

  it('is not for its provider to write into', async () => {
    const bad = await createBadRun(
      (command) => {
        ;(command.payload as { data: { amount: number } }).data.amount = 1000
        return streamOf()
      },
      { stays: true },
    )
    await expect(bad.approve('a', { amount: 1 }).unwrap()).rejects.toThrow(TypeError)
    expect(bad.commands()).toMatchObject([{ command: { payload: { data: { amount: 1 } } }, status: 'failed' }])
  })

  it.each([
    ['a function', { do: () => undefined }],
    ['a date', new Date(0)],
    ['a field that throws', trap({}, 'amount')],
    ['a value that throws', hostile],
    ['a cycle', createCycle()],
    ['a number that JSON has not', { amount: Number.NaN }],
  ])('is JSON, or there is no command: %s', async (_, data) => {
    const bad = await createCommandRun({ answers: { 'approval.resolve': [{ events: (events) => [grant(events)] }] } })
    await expect(bad.approve('a', data).unwrap()).rejects.toMatchObject({ code: 'invalid_command' })
    expect(bad.commands()).toEqual([])
    expect(bad.sent()).toEqual([])
  })

  it('is JSON also where a getter gives something else the second time, and the command before it failed', async () => {
    const bad = await createCommandRun({ answers: { 'approval.resolve': [{ error: new Error('Down.') }] } })
    await bad.approve('a', { amount: 1 })
    for (const second of [1n, new Date(0), new Map()]) {
      let reads = 0
      const data = Object.defineProperty({}, 'amount', { enumerable: true, get: () => (reads++ === 0 ? 1 : second) })
      await expect(bad.approve('a', data).unwrap()).rejects.toMatchObject({ code: 'invalid_command' })
    }
    expect(bad.commands()).toHaveLength(1)
  })
})

function createCycle(): unknown {
  const cycle: { self?: unknown } = {}
  cycle.self = cycle
  return cycle
}
