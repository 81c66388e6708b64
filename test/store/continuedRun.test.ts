import {
  createAgentEventFactory,
  replayAgentEvents,
  type AgentCommand,
  type AgentCommandOptions,
  type AgentEvent,
  type AgentEventFactory,
} from 'redux-agent'
import { createGate, type ScriptedStep } from 'redux-agent/testing'
import { describe, expect, it, vi } from 'vitest'
import { createCommandRun, inTurn } from './createCommandRun.ts'
import { endOfTask, expectSilentConsole } from './createHarness.ts'
import { createRun } from './createRunEvents.ts'

expectSilentConsole()

const failure = () => new Error('It is down.')

/** What a plain runtime answers a decision with: the decision, and the rest of the run. */
function createRest() {
  const run = createRun('r1')
  const at = (sequence: number) => ({ sequence })
  const granted = run.create('approval.resolved', { approvalId: 'a', decision: 'approved' }, at(20))
  const said = [
    run.create('message.started', { messageId: 'm', role: 'assistant' }, at(21)),
    run.create('message.delta', { messageId: 'm', delta: 'So ' }, at(22)),
    run.create('message.delta', { messageId: 'm', delta: 'be it.' }, at(23)),
    run.create('message.completed', { messageId: 'm' }, at(24)),
  ]
  const ended = run.create('run.completed', {}, at(25))
  return { granted, said, ended, all: [granted, ...said, ended] }
}

/** A run that is parked, as its stream has ended while approvals wait. */
const createParked = async (
  answer: Parameters<typeof createCommandRun>[0]['answers']['approval.resolve'],
  more: Partial<Parameters<typeof createCommandRun>[0]> = {},
) => {
  const parked = await createCommandRun({
    answers: { 'approval.resolve': answer ?? [], 'run.cancel': [], 'tool.retry': [] },
    stays: false,
    ...more,
  })
  await parked.main.unwrap()
  expect(parked.connection('r1')).toMatchObject({ state: 'idle', detached: false })
  return parked
}

describe('an answer that is the rest of a parked run', () => {
  it('is the command’s up to its first event; from there on it is the run’s main wire', async () => {
    const { granted, said, ended, all } = createRest()
    const [first, second] = [createGate(), createGate()]
    const run = await createParked([
      { gate: first },
      { events: [granted] },
      { gate: second },
      { events: [...said, ended] },
    ])
    const task = run.approve()
    await first.reached
    expect(run.statusOf('approval.resolve', 'a')?.status).toBe('submitting')
    expect(run.connection('r1')?.state).toBe('idle')
    first.open()
    await task.unwrap()
    expect(run.statusOf('approval.resolve', 'a')?.status).toBe('succeeded')
    expect(run.connection('r1')).toMatchObject({ state: 'connected', detached: false })
    expect(run.delays()).toEqual([])
    expect(run.state()).toEqual(replayAgentEvents([...run.opening, granted]))
    second.open()
    await endOfTask()
    expect(run.state()).toEqual(replayAgentEvents([...run.opening, ...all]))
    expect(run.connection('r1')?.state).toBe('idle')
    expect(run.delays()).toEqual([])
  })

  it('holds up no later command', async () => {
    const { granted } = createRest()
    const rest = createGate()
    const run = await createParked(
      inTurn(
        [{ events: [granted] }, { gate: rest }],
        [{ events: (events) => [events.create('approval.resolved', { approvalId: 'b', decision: 'approved' })] }],
      ),
    )
    await run.approve('a').unwrap()
    await rest.reached
    await run.approve('b').unwrap()
    expect(run.commands().map(({ status }) => status)).toEqual(['succeeded', 'succeeded'])
    expect(run.state().approvals).toMatchObject({
      '2:r1:a': { status: 'completed' },
      '2:r1:b': { status: 'completed' },
    })
    expect(run.connection('r1')?.state).toBe('connected')
  })

  it('is closed by an abort, which claims nothing about the run', async () => {
    const { granted } = createRest()
    const rest = createGate()
    const run = await createParked([{ events: [granted] }, { gate: rest }, { events: [createRest().ended] }])
    await run.approve().unwrap()
    await rest.reached
    run.store.dispatch(run.agent.actions.abortRun({ sessionId: 's1' }))
    rest.open()
    await endOfTask()
    expect(run.state()).toEqual(replayAgentEvents([...run.opening, granted]))
    expect(run.connection('r1')).toMatchObject({ state: 'idle', detached: true })
    expect(run.statusOf('approval.resolve', 'a')?.status).toBe('succeeded')
  })

  it('that has not begun is given up by an abort, and asked for again under the same key', async () => {
    const { granted, ended } = createRest()
    const hung = createGate()
    const run = await createParked(inTurn([{ gate: hung }], [{ events: [granted] }, { events: [ended] }]))
    const task = run.approve()
    await hung.reached
    run.store.dispatch(run.agent.actions.abortRun({ runId: 'r1' }))
    await expect(task.unwrap()).rejects.toMatchObject({ code: 'interrupted', retryable: true })
    expect(run.statusOf('approval.resolve', 'a')).toMatchObject({
      status: 'failed',
      error: { code: 'interrupted', retryable: true },
    })
    expect(run.connection('r1')).toMatchObject({ state: 'idle', detached: true })
    await run.approve().unwrap()
    await endOfTask()
    expect(run.sent()).toEqual(['r1:command:c1', 'r1:command:c1'])
    expect(run.state().runs.r1?.status).toBe('completed')
    expect(run.connection('r1')).toMatchObject({ state: 'idle', detached: false })
  })

  it('that has not begun gives way to a wire that takes the run up again', async () => {
    const [hung, resumed] = [createGate(), createGate()]
    const run = await createParked([{ gate: hung }], { capabilities: { resumable: true } })
    const { transport } = run.provider
    Object.assign(run.provider, {
      transport: {
        ...transport,
        async *resume(_request: unknown, _cursor: string, signal: AbortSignal) {
          yield { events: run.opening, cursor: 'again' }
          await resumed.pass(signal)
        },
      },
    })
    const task = run.approve()
    await hung.reached
    const again = run.store.dispatch(run.agent.actions.resumeRun({ runId: 'r1' }))
    await expect(task.unwrap()).rejects.toMatchObject({ code: 'interrupted', retryable: true })
    await resumed.reached
    expect(run.connection('r1')).toMatchObject({ state: 'connected', detached: false })
    run.store.dispatch(run.agent.actions.abortRun({ runId: 'r1' }))
    await again
    expect(run.connection('r1')).toMatchObject({ state: 'idle', detached: true })
  })

  it('may end in another wait for a person, and be parked again', async () => {
    const { granted } = createRest()
    const run = await createParked([{ events: [granted] }])
    await run.approve().unwrap()
    await endOfTask()
    expect(run.connections()).toEqual(['connected', 'idle', 'connected', 'idle'])
  })

  it('is lost where it ends before the run does and nothing waits', async () => {
    const at = (events: AgentEventFactory, approvalId: string) =>
      events.create('approval.resolved', { approvalId, decision: 'approved' })
    const run = await createParked([{ events: (events) => [at(events, 'a'), at(events, 'b')] }])
    await run.approve().unwrap()
    await endOfTask()
    expect(run.connection('r1')).toMatchObject({ state: 'unrecoverable', error: { code: 'unexpected_end' } })
    expect(run.state().runs.r1?.status).toBe('running')
  })

  it('whose wire breaks is for the provider to transform, in a context that counts on from the last event', async () => {
    const { granted, said } = createRest()
    const classifyError = vi.fn<() => { retryable: boolean }>(() => ({ retryable: false }))
    // The last of them is a delta, which the store is told of with its batch.
    const run = await createParked([{ events: [granted] }, { events: said.slice(0, 2) }, { error: failure() }])
    Object.assign(run.provider, {
      classifyError,
      transformError: (_error: unknown, context: { events: AgentEventFactory }) => [
        context.events.create('message.failed', { messageId: 'm', error: { message: 'Cut.' } }),
        context.events.create('run.failed', { error: { message: 'Cut.' } }),
      ],
    })
    await run.approve().unwrap()
    await endOfTask()
    expect(run.state().runs.r1).toMatchObject({ status: 'failed' })
    expect(run.state().lastSequenceByRun.r1).toBe(24)
    expect(run.state().issues).toEqual([])
    expect(run.connection('r1')).toMatchObject({ state: 'failed', error: { code: 'provider_error' } })
    expect(run.statusOf('approval.resolve', 'a')?.status).toBe('succeeded')
    expect(classifyError).toHaveBeenCalledTimes(1)
  })

  it('whose wire breaks is not transformed in a promise of a context: that is the provider’s fault, and told', async () => {
    const { granted, said } = createRest()
    const transformError = vi.fn<() => []>(() => [])
    const run = await createParked([{ events: [granted] }, { events: said.slice(0, 1) }, { error: failure() }])
    Object.assign(run.provider, { transformError, createContext: async () => ({}) })
    await run.approve().unwrap()
    await endOfTask()
    expect(transformError).not.toHaveBeenCalled()
    expect(run.connection('r1')).toMatchObject({ state: 'failed', error: { code: 'asynchronous_function' } })
    expect(run.statusOf('approval.resolve', 'a')?.status).toBe('succeeded')
  })

  it('that breaks the protocol later on costs the wire, not the command', async () => {
    const { granted } = createRest()
    const foreign = createRun('r2').create('run.completed', {})
    const run = await createParked([{ events: [granted] }, { events: [foreign] }])
    await run.approve().unwrap()
    await endOfTask()
    expect(run.connection('r1')).toMatchObject({ state: 'failed', error: { code: 'foreign_event' } })
    expect(run.statusOf('approval.resolve', 'a')?.status).toBe('succeeded')
    expect(run.state()).toEqual(replayAgentEvents([...run.opening, granted]))
  })

  it('is taken up again where it is lost and the provider can', async () => {
    const { granted, said, ended, all } = createRest()
    const opening = createOpening()
    const run = await createParked([{ events: [granted] }, { events: said.slice(0, 1) }, { error: failure() }], {
      capabilities: { resumable: true },
      rest: [],
    })
    Object.assign(run.provider, {
      classifyError: () => ({ retryable: true }),
      transport: {
        ...run.provider.transport,
        async *resume() {
          yield { events: [...opening, granted, ...said, ended], cursor: 'end' }
        },
      },
    })
    await run.approve().unwrap()
    await endOfTask()
    expect(run.connection('r1')?.state).toBe('reconnecting')
    run.fireAllTimers()
    await endOfTask()
    await endOfTask()
    expect(run.state()).toEqual(replayAgentEvents([...run.opening, ...all]))
    expect(run.connection('r1')?.state).toBe('idle')
  })

  it('moves the run’s cursor as it goes on, so that it is taken up from there', async () => {
    const { granted, said, ended, all } = createRest()
    const run = await createParked([], { capabilities: { resumable: true } })
    const cursors: string[] = []
    Object.assign(run.provider, {
      classifyError: () => ({ retryable: true }),
      async *executeCommand(_command: AgentCommand, { onCursor }: AgentCommandOptions) {
        yield granted
        onCursor!('granted')
        yield* said.slice(0, 2)
        onCursor!('said 2')
        throw failure()
      },
      transport: {
        ...run.provider.transport,
        async *resume(_request: unknown, cursor: string) {
          cursors.push(cursor)
          yield { events: [...said.slice(2), ended], cursor: 'end' }
        },
      },
    })
    await run.approve().unwrap()
    await endOfTask()
    run.fireAllTimers()
    await endOfTask()
    expect(cursors).toEqual(['said 2'])
    expect(run.state()).toEqual(replayAgentEvents([...run.opening, ...all]))
    expect(run.connection('r1')).toMatchObject({ state: 'idle', cursor: 'end' })
  })

  it('that begins with what the reducer refuses has failed, and is closed', async () => {
    const rest = createGate()
    const refused: ScriptedStep = { events: (events) => [events.create('tool.running', { toolCallId: 'none' })] }
    const run = await createParked([refused, { gate: rest }])
    const signals = watchSignals(run)
    await expect(run.approve().unwrap()).rejects.toMatchObject({ name: 'AgentProtocolError' })
    expect(run.statusOf('approval.resolve', 'a')).toMatchObject({ status: 'failed', error: { code: 'protocol_error' } })
    expect(run.connection('r1')?.state).toBe('idle')
    expect(signals.map(({ aborted }) => aborted)).toEqual([true])
  })

  it('that begins with an event that is none has failed, as has one that cannot begin', async () => {
    for (const [step, code] of [
      [{ events: [{ ...createRest().granted, payload: null } as never] }, 'protocol_error'],
      [{ error: failure() }, 'provider_error'],
    ] as const) {
      const run = await createParked([step])
      await run.approve()
      expect(run.statusOf('approval.resolve', 'a')).toMatchObject({ status: 'failed', error: { code } })
      expect(run.connection('r1')?.state).toBe('idle')
      expect(run.state()).toEqual(replayAgentEvents(run.opening))
    }
    const run = await createParked([])
    run.provider.executeCommand = () => undefined as never
    await expect(run.approve().unwrap()).rejects.toMatchObject({ code: 'protocol_error' })
    delete (run.provider as { executeCommand?: unknown }).executeCommand
    await expect(run.retry().unwrap()).rejects.toMatchObject({ code: 'unsupported_capability' })
  })

  it('that does not begin in time is closed', async () => {
    const hung = createGate()
    const run = await createParked([{ gate: hung }])
    const signals = watchSignals(run)
    const task = run.approve()
    await hung.reached
    run.fireTimers(10_000)
    await expect(task.unwrap()).rejects.toMatchObject({ code: 'command_timeout', retryable: true })
    expect(signals.map(({ aborted }) => aborted)).toEqual([true])
    expect(run.connection('r1')).toMatchObject({ state: 'idle', detached: false })
    run.store.dispatch(run.agent.actions.abortRun({ runId: 'r1' }))
    expect(run.connection('r1')?.detached).toBe(true)
  })

  it('may be no more than the end of the run', async () => {
    const closed = vi.fn<() => void>()
    const run = await createParked([])
    run.provider.executeCommand = async function* () {
      try {
        yield createRest().ended
        yield createRest().ended
      } finally {
        closed()
      }
    }
    await run.approve().unwrap()
    await endOfTask()
    expect(closed).toHaveBeenCalledTimes(1)
    expect(run.state().runs.r1?.status).toBe('completed')
    expect(run.connection('r1')?.state).toBe('idle')
  })
})

describe('a wire that gathers several answers in one request', () => {
  it('takes each as gathered, and the last one brings what came of them all', async () => {
    const { all } = createRest()
    const b = createRun('r1').create('approval.resolved', { approvalId: 'b', decision: 'rejected' }, { sequence: 19 })
    const gathered: unknown[] = []
    const run = await createParked((command) => {
      gathered.push(command.payload)
      return gathered.length < 2 ? [] : [{ events: [b, ...all] }]
    })
    const signals = watchSignals(run)
    await run.approve('a').unwrap()
    expect(run.statusOf('approval.resolve', 'a')?.status).toBe('succeeded')
    expect(run.state()).toEqual(replayAgentEvents(run.opening))
    expect(run.state().approvals['2:r1:a']?.status).toBe('waiting')
    expect(run.connection('r1')?.state).toBe('idle')
    // A proper end is no abort.
    expect(signals.map(({ aborted }) => aborted)).toEqual([false])
    const reject = run.agent.actions.resolveApproval({ runId: 'r1', approvalId: 'b', decision: 'rejected' })
    await run.store.dispatch(reject).unwrap()
    await endOfTask()
    expect(gathered).toMatchObject([{ approvalId: 'a' }, { approvalId: 'b' }])
    expect(run.state()).toEqual(replayAgentEvents([...run.opening, b, ...all]))
    expect(run.commands().map(({ status }) => status)).toEqual(['succeeded', 'succeeded'])
    expect(run.connection('r1')?.state).toBe('idle')
  })
})

describe('a cancel of a parked run', () => {
  it('is not taken for its continuation', async () => {
    const run = await createParked([], {
      answers: { 'run.cancel': [{ events: (events) => [events.create('run.cancelled', {})] }] },
    })
    await run.cancel().unwrap()
    expect(run.state().runs.r1?.status).toBe('cancelled')
    expect(run.connections()).toEqual(['connected', 'idle', 'idle'])
  })
})

function createOpening(): readonly AgentEvent[] {
  return [
    createAgentEventFactory({ runId: 'r1', sessionId: 's1', initialSequence: 0, now: () => 1000 }).create(
      'run.started',
      {},
    ),
  ]
}

/** The signals that the provider's answers get. */
function watchSignals(run: Awaited<ReturnType<typeof createParked>>): AbortSignal[] {
  const signals: AbortSignal[] = []
  const { executeCommand } = run.provider
  run.provider.executeCommand = (command, options) => {
    signals.push(options.signal)
    return executeCommand!(command, options)
  }
  return signals
}
