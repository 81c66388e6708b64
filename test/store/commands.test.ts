import {
  AgentCommandRunnerError,
  AgentModuleError,
  getAgentActionKey,
  isAgentCommand,
  replayAgentEvents,
} from 'redux-agent'
import { createGate, createScriptedProvider } from 'redux-agent/testing'
import { describe, expect, it } from 'vitest'
import { createCommandRun, grant, inTurn } from './createCommandRun.ts'
import { createHarness, endOfTask, expectSilentConsole } from './createHarness.ts'
import { createRun } from './createRunEvents.ts'

expectSilentConsole()

/** An error whose words its provider wants shown. */
const failure = (fields: Record<string, unknown> = {}) =>
  Object.assign(new AgentModuleError({ name: 'WireError', code: 'down', message: 'It is down.' }), fields)
const approvalAction = getAgentActionKey({ runId: 'r1', type: 'approval.resolve', entityId: 'a' })

describe('a command', () => {
  it('is submitting until its answer ends, then it has succeeded', async () => {
    const gate = createGate()
    const run = await createCommandRun({ answers: { 'approval.resolve': [{ gate }] } })
    expect(run.statusOf('approval.resolve', 'a')).toBeUndefined()
    const task = run.approve('a')
    const [submitted] = run.commands()
    expect(submitted).toMatchObject({ key: 'r1:command:c1', status: 'submitting', createdAt: 1000, updatedAt: 1000 })
    expect(isAgentCommand(submitted!.command)).toBe(true)
    expect(submitted!.command).toMatchObject({
      type: 'approval.resolve',
      sessionId: 's1',
      runId: 'r1',
      payload: { approvalId: 'a', decision: 'approved' },
    })
    expect(run.selectors.selectLatestCommandByAction(run.store.getState(), 's1')).toEqual({
      [approvalAction]: submitted!.key,
    })
    run.advance(5)
    gate.open()
    expect(await task.unwrap()).toEqual({ commandId: 'r1:command:c1', idempotencyKey: 'r1:command:c1:key' })
    expect(run.statusOf('approval.resolve', 'a')).toMatchObject({
      status: 'succeeded',
      createdAt: 1000,
      updatedAt: 1005,
    })
    expect(run.state().approvals).toMatchObject({ '2:r1:a': { status: 'waiting' } })
    expect(run.delays()).toEqual([])
  })

  it('brings facts by its answer, which alone change the state', async () => {
    const run = await createCommandRun({ answers: { 'approval.resolve': [{ events: (events) => [grant(events)] }] } })
    await run.approve().unwrap()
    expect(run.state()).toEqual(replayAgentEvents([...run.opening, grant(run.run)]))
  })

  it('begins its answer after all that the main stream brought, also what was not told yet', async () => {
    const run = await createCommandRun({
      answers: { 'approval.resolve': [{ events: (events) => [grant(events)] }] },
      rest: [
        { events: (events) => [events.create('reasoning.started', { reasoningId: 'x' }, { sequence: 9 })] },
        { events: (events) => [events.create('reasoning.delta', { reasoningId: 'x', delta: 'hm' }, { sequence: 10 })] },
      ],
    })
    expect(run.state().lastSequenceByRun.r1).toBe(9)
    await run.approve().unwrap()
    expect(run.state().lastSequenceByRun.r1).toBe(11)
    expect(run.state().issues).toEqual([])
    expect(run.statusOf('approval.resolve', 'a')?.status).toBe('succeeded')
  })

  it.each([
    ['a plain error', failure(), { code: 'provider_error', message: 'It is down.', retryable: false }],
    ['an error that may be tried again', failure({ retryable: true }), { code: 'provider_error', retryable: true }],
    ['something that is no error', 'down', { code: 'provider_error', retryable: false }],
    ['an error of its own, whose words may hold anything', new Error('token=1'), { code: 'provider_error' }],
  ])('has failed where its provider throws %s', async (_, error, expected) => {
    const run = await createCommandRun({ answers: { 'approval.resolve': [{ error }] } })
    await expect(run.approve().unwrap()).rejects.toBe(error)
    const entry = run.statusOf('approval.resolve', 'a')!
    expect(entry).toMatchObject({ status: 'failed', error: expected })
    expect(JSON.stringify(entry)).not.toContain('token=1')
    expect(JSON.parse(JSON.stringify(entry))).toEqual(entry)
    expect(run.state()).toEqual(replayAgentEvents(run.opening))
  })

  it('has failed by protocol where the answer is of another run, and nothing of it is applied', async () => {
    const foreign = createRun('r2').create('run.started', {})
    const run = await createCommandRun({ answers: { 'approval.resolve': [{ events: [foreign] }] } })
    await expect(run.approve().unwrap()).rejects.toBeInstanceOf(AgentCommandRunnerError)
    expect(run.statusOf('approval.resolve', 'a')).toMatchObject({
      status: 'failed',
      error: { code: 'protocol_error', retryable: false },
    })
    expect(run.state()).toEqual(replayAgentEvents(run.opening))
  })

  it('has failed by protocol where the reducer refuses what it brings', async () => {
    const answer = [
      { events: (events: ReturnType<typeof createRun>) => [events.create('tool.running', { toolCallId: 'none' })] },
    ]
    const run = await createCommandRun({ answers: { 'approval.resolve': answer } })
    await expect(run.approve().unwrap()).rejects.toMatchObject({ name: 'AgentProtocolError', code: 'missing_entity' })
    expect(run.statusOf('approval.resolve', 'a')).toMatchObject({ status: 'failed', error: { code: 'protocol_error' } })
    expect(run.state().issues).toMatchObject([{ code: 'missing_entity' }])
  })

  it('has failed where its provider declares it and cannot do it', async () => {
    const run = await createCommandRun({ answers: { 'run.cancel': [] } })
    delete (run.provider as { executeCommand?: unknown }).executeCommand
    await expect(run.cancel().unwrap()).rejects.toMatchObject({ code: 'unsupported_capability' })
    expect(run.statusOf('run.cancel')).toMatchObject({
      status: 'failed',
      error: { code: 'unsupported_capability', retryable: false },
    })
  })

  it('has failed where its provider throws before it answers, or answers with nothing', async () => {
    const run = await createCommandRun({ answers: { 'approval.resolve': [] } })
    run.provider.executeCommand = () => {
      throw failure()
    }
    await expect(run.approve().unwrap()).rejects.toThrow('It is down.')
    run.provider.executeCommand = () => undefined as never
    await expect(run.approve().unwrap()).rejects.toMatchObject({ code: 'protocol_error' })
  })

  it('has failed where no answer begins in time; what became of it is not known, so it may be tried again', async () => {
    const gate = createGate()
    const run = await createCommandRun({ answers: { 'approval.resolve': [{ gate }] } })
    const task = run.approve()
    await gate.reached
    expect(run.delays()).toEqual([10_000])
    run.fireTimers(10_000)
    await expect(task.unwrap()).rejects.toBeInstanceOf(AgentModuleError)
    await expect(task.unwrap()).rejects.toMatchObject({ code: 'command_timeout' })
    expect(run.statusOf('approval.resolve', 'a')).toMatchObject({
      status: 'failed',
      error: { code: 'provider_error', retryable: true },
    })
    gate.open()
    await endOfTask()
    expect(run.statusOf('approval.resolve', 'a')?.status).toBe('failed')
    expect(run.state()).toEqual(replayAgentEvents(run.opening))
  })

  it('that another dispatched, such as a replayed action, sends nothing', async () => {
    const run = await createCommandRun({ answers: { 'approval.resolve': [] } })
    await run.approve().unwrap()
    const submitted = run.passed.find(run.agent.events.commandSubmitted.match)!
    run.store.dispatch(submitted)
    const requested = run.passed.find(run.agent.events.runRequested.match)!
    run.store.dispatch(requested)
    await endOfTask()
    expect(run.provider.calls.commands).toHaveLength(1)
    expect(run.provider.calls.opens).toHaveLength(1)
  })
})

describe('a resend', () => {
  it('keeps the id and the key, and goes from failed to submitting', async () => {
    const gate = createGate()
    const run = await createCommandRun({ answers: { 'approval.resolve': inTurn([{ error: failure() }], [{ gate }]) } })
    await run.approve()
    run.advance(10)
    const task = run.approve()
    expect(run.commands()).toMatchObject([{ status: 'submitting', createdAt: 1000, updatedAt: 1010 }])
    expect(run.commands()[0]).not.toHaveProperty('error')
    gate.open()
    expect(await task.unwrap()).toEqual({ commandId: 'r1:command:c1', idempotencyKey: 'r1:command:c1:key' })
    const [first, second] = run.provider.calls.commands
    expect(second).toEqual(first)
  })

  it('with other data is another command, and the old one stays', async () => {
    const run = await createCommandRun({
      answers: { 'approval.resolve': inTurn([{ error: failure() }], [{ error: failure() }], []) },
    })
    await run.approve('a', { amount: 1 })
    await run.approve('a', { amount: 2 })
    await run.approve('a')
    expect(run.sent()).toEqual(['r1:command:c1', 'r1:command:c2', 'r1:command:c3'])
    expect(new Set(run.provider.calls.commands.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(3)
    expect(run.commands().map(({ status }) => status)).toEqual(['failed', 'failed', 'succeeded'])
    expect(run.statusOf('approval.resolve', 'a')?.key).toBe('r1:command:c3')
  })

  it('of what has succeeded is another command', async () => {
    const run = await createCommandRun({ answers: { 'approval.resolve': [] } })
    await run.approve().unwrap()
    await run.approve().unwrap()
    expect(run.sent()).toEqual(['r1:command:c1', 'r1:command:c2'])
  })

  it('keeps its key also where another run of the session was started in the meantime', async () => {
    const run = await createCommandRun({ answers: { 'approval.resolve': inTurn([{ error: failure() }], []) } })
    await run.approve()
    const other = createScriptedProvider({ id: 'other', steps: [] })
    await run.store.dispatch(run.agent.actions.startRun({ sessionId: 's1', provider: other, input: null }))
    await run.approve().unwrap()
    expect(run.sent()).toEqual(['r1:command:c1', 'r1:command:c1'])
  })
})

describe('the commands of a run', () => {
  it('go one after another, in the order of the clicks', async () => {
    const gates = [createGate(), createGate()]
    const run = await createCommandRun({
      answers: { 'approval.resolve': inTurn([{ gate: gates[0]! }], [{ gate: gates[1]! }]), 'tool.retry': [] },
    })
    const tasks = [run.approve('a'), run.approve('b'), run.retry()]
    await endOfTask()
    expect(run.provider.calls.commands.map(({ payload }) => payload)).toEqual([
      { approvalId: 'a', decision: 'approved', data: undefined },
    ])
    expect(run.commands().map(({ status }) => status)).toEqual(['submitting', 'submitting', 'submitting'])
    gates[0]!.open()
    await tasks[0]!.unwrap()
    await endOfTask()
    expect(run.provider.calls.commands).toHaveLength(2)
    gates[1]!.open()
    await Promise.all(tasks.map((task) => task.unwrap()))
    expect(run.provider.calls.commands.map(({ type }) => type)).toEqual([
      'approval.resolve',
      'approval.resolve',
      'tool.retry',
    ])
  })

  it('go on after one that failed', async () => {
    const run = await createCommandRun({ answers: { 'approval.resolve': [{ error: failure() }], 'tool.retry': [] } })
    const [approved, retried] = [run.approve(), run.retry()]
    await expect(approved.unwrap()).rejects.toThrow('It is down.')
    await retried.unwrap()
  })

  it('go side by side with those of another run', async () => {
    const gate = createGate()
    const provider = createScriptedProvider<string>({
      steps: (_, { runId }) => [
        {
          events: [
            createRun(runId).create('run.started', {}),
            createRun(runId).create('approval.requested', { approvalId: 'a' }, { sequence: 2 }),
          ],
        },
      ],
      commands: { 'approval.resolve': [{ gate }] },
    })
    const { store, agent } = createHarness({ providers: [provider], ids: ['r1', 'r2'] })
    for (let index = 0; index < 2; index += 1) {
      await store.dispatch(agent.actions.startRun({ sessionId: 's1', provider: 'scripted', input: '' }))
    }
    const tasks = ['r1', 'r2'].map((runId) =>
      store.dispatch(agent.actions.resolveApproval({ runId, approvalId: 'a', decision: 'approved' })),
    )
    await endOfTask()
    expect(provider.calls.commands.map(({ runId }) => runId)).toEqual(['r1', 'r2'])
    gate.open()
    await Promise.all(tasks.map((task) => task.unwrap()))
  })

  it('are kept, the latest of each action, after the end of the run, until the next one', async () => {
    const gate = createGate()
    const run = await createCommandRun({
      answers: { 'approval.resolve': inTurn([{ error: failure() }], []), 'tool.retry': [{ error: failure() }] },
      rest: [{ gate }, { events: (events) => [events.create('run.completed', {}, { sequence: 90 })] }],
      stays: false,
    })
    await run.approve('a', { amount: 1 })
    await run.approve('a', { amount: 2 })
    await run.retry()
    expect(run.commands()).toHaveLength(3)
    gate.open()
    await run.main.unwrap()
    expect(run.commands().map(({ key, status }) => [key, status])).toEqual([
      ['r1:command:c2', 'succeeded'],
      ['r1:command:c3', 'failed'],
    ])
    expect(run.statusOf('tool.retry', 'failed')).toMatchObject({ status: 'failed', error: { message: 'It is down.' } })
    const other = createScriptedProvider({ id: 'other', steps: [] })
    await run.store.dispatch(run.agent.actions.startRun({ sessionId: 's1', provider: other, input: null }))
    expect(run.commands()).toEqual([])
    expect(run.selectors.selectLatestCommandByAction(run.store.getState(), 's1')).toEqual({})
  })

  it('that are under way at the end of the run end with it, where their answer had begun', async () => {
    const [answer, main] = [createGate(), createGate()]
    const run = await createCommandRun({
      answers: { 'approval.resolve': [{ events: (events) => [grant(events)] }, { gate: answer }] },
      rest: [{ gate: main }, { events: (events) => [events.create('run.completed', {}, { sequence: 90 })] }],
      stays: false,
    })
    const task = run.approve()
    await answer.reached
    main.open()
    await run.main.unwrap()
    await task.unwrap()
    expect(run.commands()).toMatchObject([{ status: 'succeeded' }])
  })

  it('that wait at the end of the run are not sent any more', async () => {
    const [hung, main] = [createGate(), createGate()]
    const run = await createCommandRun({
      answers: { 'approval.resolve': [{ gate: hung }], 'tool.retry': [] },
      rest: [{ gate: main }, { events: (events) => [events.create('run.completed', {}, { sequence: 90 })] }],
      stays: false,
    })
    const [hanging, waiting] = [run.approve(), run.retry()]
    await hung.reached
    main.open()
    await run.main.unwrap()
    await expect(waiting.unwrap()).rejects.toMatchObject({ code: 'interrupted' })
    expect(run.statusOf('tool.retry', 'failed')).toMatchObject({
      status: 'failed',
      error: { code: 'interrupted', retryable: false },
    })
    run.fireTimers(10_000)
    await expect(hanging.unwrap()).rejects.toMatchObject({ code: 'command_timeout' })
    await endOfTask()
    expect(run.provider.calls.commands).toHaveLength(1)
    expect(run.commands().some(({ status }) => status === 'submitting')).toBe(false)
  })
})

describe('a late answer', () => {
  it('after the run has ended changes no state but the command’s', async () => {
    const [answer, main] = [createGate(), createGate()]
    const run = await createCommandRun({
      answers: { 'approval.resolve': [{ gate: answer }, { events: (events) => [grant(events)] }] },
      rest: [{ gate: main }, { events: (events) => [events.create('run.completed', {}, { sequence: 90 })] }],
      stays: false,
    })
    const task = run.approve()
    main.open()
    await run.main.unwrap()
    const before = run.state()
    answer.open()
    await task.unwrap()
    expect(run.state()).toEqual(before)
    expect(run.statusOf('approval.resolve', 'a')?.status).toBe('succeeded')
  })

  it('is waited for past the start of the next run, and cleared by the one after', async () => {
    const [answer, main] = [createGate(), createGate()]
    const run = await createCommandRun({
      answers: { 'approval.resolve': [{ gate: answer }] },
      rest: [{ gate: main }, { events: (events) => [events.create('run.completed', {}, { sequence: 90 })] }],
      stays: false,
    })
    const task = run.approve()
    await answer.reached
    main.open()
    await run.main.unwrap()
    const other = createScriptedProvider({ id: 'other', steps: [] })
    const startNext = () =>
      run.store.dispatch(run.agent.actions.startRun({ sessionId: 's1', provider: other, input: null }))
    await startNext()
    expect(run.commands()).toMatchObject([{ status: 'submitting' }])
    answer.open()
    await task.unwrap()
    expect(run.commands()).toMatchObject([{ status: 'succeeded' }])
    await startNext()
    expect(run.commands()).toEqual([])
  })

  it('of a command that the next run has cleared brings nothing back', async () => {
    const main = createGate()
    const run = await createCommandRun({
      answers: { 'approval.resolve': [] },
      rest: [{ gate: main }, { events: (events) => [events.create('run.completed', {}, { sequence: 90 })] }],
      stays: false,
    })
    await run.approve().unwrap()
    const { command } = run.commands()[0]!
    main.open()
    await run.main.unwrap()
    const other = createScriptedProvider({ id: 'other', steps: [] })
    await run.store.dispatch(run.agent.actions.startRun({ sessionId: 's1', provider: other, input: null }))
    expect(run.commands()).toEqual([])
    run.store.dispatch(run.agent.events.commandSucceeded({ command, at: 2000 }))
    expect(run.commands()).toEqual([])
  })
})
