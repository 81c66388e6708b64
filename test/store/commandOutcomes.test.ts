import { configureStore } from '@reduxjs/toolkit'
import { AgentTransportError, createAgentRuntime, replayAgentEvents, type AgentCommand } from 'redux-agent'
import { createGate, createScriptedProvider, type ScriptedStep } from 'redux-agent/testing'
import { describe, expect, it } from 'vitest'
import { createCommandRun, grant, inTurn } from './createCommandRun.ts'
import { endOfTask, expectSilentConsole } from './createHarness.ts'
import { createRun } from './createRunEvents.ts'

expectSilentConsole()

const lost = () => new AgentTransportError('network', 'Lost.', { retryable: true })
const decided = (decision: 'approved' | 'rejected'): ScriptedStep => ({
  events: (events) => [events.create('approval.resolved', { approvalId: 'a', decision }, { sequence: 90 })],
})
const completes: ScriptedStep = { events: (events) => [events.create('run.completed', {}, { sequence: 91 })] }
const isCancelled: ScriptedStep = { events: (events) => [events.create('run.cancelled', {}, { sequence: 91 })] }

describe('where an answer is lost, the facts are the answer', () => {
  it('a command whose fact the main stream has brought has succeeded', async () => {
    const [main, answer] = [createGate(), createGate()]
    const run = await createCommandRun({
      answers: { 'approval.resolve': [{ gate: answer }, { error: lost() }] },
      rest: [{ gate: main }, decided('approved')],
    })
    const task = run.approve()
    main.open()
    await endOfTask()
    answer.open()
    expect(await task.unwrap()).toEqual({ commandId: 'r1:command:c1', idempotencyKey: 'r1:command:c1:key' })
    expect(run.commands()).toMatchObject([{ status: 'succeeded' }])
    expect(run.commands()[0]).not.toHaveProperty('error')
  })

  it('one after which another decision stands has failed for good, and says which', async () => {
    const [main, answer] = [createGate(), createGate()]
    const run = await createCommandRun({
      answers: { 'approval.resolve': [{ gate: answer }, { error: lost() }] },
      rest: [{ gate: main }, decided('rejected')],
    })
    const task = run.approve()
    main.open()
    await endOfTask()
    answer.open()
    await expect(task.unwrap()).rejects.toMatchObject({ code: 'network' })
    expect(run.commands()).toMatchObject([
      {
        status: 'failed',
        error: { code: 'provider_error', reason: 'network', retryable: false, decision: 'rejected' },
      },
    ])
  })

  it('one of which nothing is known may be tried again', async () => {
    const run = await createCommandRun({ answers: { 'approval.resolve': [{ error: lost() }] } })
    await run.approve()
    expect(run.commands()[0]!.error).toEqual({
      code: 'provider_error',
      message: 'Lost.',
      reason: 'network',
      retryable: true,
    })
  })

  it('a refusal stays one, whatever the facts', async () => {
    const [main, answer] = [createGate(), createGate()]
    const run = await createCommandRun({
      answers: { 'approval.resolve': [{ gate: answer }, { error: new Error('No.') }] },
      rest: [{ gate: main }, decided('approved')],
    })
    const task = run.approve()
    main.open()
    await endOfTask()
    answer.open()
    await expect(task.unwrap()).rejects.toThrow('No.')
    expect(run.commands()).toMatchObject([{ status: 'failed', error: { code: 'provider_error', retryable: false } }])
  })

  it('also where it never comes: in time by the main stream, a decision, a retry and a cancel', async () => {
    const [main, hung] = [createGate(), createGate()]
    const run = await createCommandRun({
      answers: { 'approval.resolve': [{ gate: hung }], 'tool.retry': [{ gate: createGate() }] },
      rest: [
        { gate: main },
        decided('approved'),
        {
          events: (events) => [
            events.create('tool.requested', { toolCallId: 'again', name: 'look', retryOf: 'failed', attempt: 2 }),
          ],
        },
      ],
    })
    const tasks = [run.approve(), run.retry()]
    await hung.reached
    main.open()
    await endOfTask()
    run.fireTimers(10_000)
    await tasks[0]!.unwrap()
    await endOfTask()
    run.fireTimers(10_000)
    await tasks[1]!.unwrap()
    expect(run.commands().map(({ status }) => status)).toEqual(['succeeded', 'succeeded'])
  })

  it('also at the end of the run, which is not waited past', async () => {
    const [main, hung] = [createGate(), createGate()]
    const run = await createCommandRun({
      answers: { 'approval.resolve': [{ gate: hung }] },
      rest: [{ gate: main }, decided('approved'), completes],
      stays: false,
    })
    const task = run.approve()
    await hung.reached
    main.open()
    await run.main.unwrap()
    await task.unwrap()
    expect(run.commands()).toMatchObject([{ status: 'succeeded' }])
    expect(run.delays()).toEqual([])
  })

  it('and after the end of the run there is nothing to try again', async () => {
    const [main, hung] = [createGate(), createGate()]
    const run = await createCommandRun({
      answers: { 'approval.resolve': [{ gate: hung }] },
      rest: [{ gate: main }, completes],
      stays: false,
    })
    const task = run.approve()
    await hung.reached
    main.open()
    await run.main.unwrap()
    run.fireTimers(10_000)
    await expect(task.unwrap()).rejects.toMatchObject({ code: 'command_timeout', retryable: false })
    expect(run.commands()).toMatchObject([
      { status: 'failed', error: { code: 'provider_error', reason: 'command_timeout', retryable: false } },
    ])
  })

  it('and what the answer says after the end of the run is still heard: the loser is told who decided', async () => {
    const [main, begun, answer] = [createGate(), createGate(), createGate()]
    const conflict = Object.assign(new Error('x'), { code: 'conflict', decision: 'rejected' })
    const run = await createCommandRun({
      answers: { 'approval.resolve': [{ gate: begun }, decided('rejected'), { gate: answer }, { error: conflict }] },
      rest: [{ gate: main }, decided('rejected'), completes],
      stays: false,
    })
    const task = run.approve()
    await begun.reached
    begun.open()
    await answer.reached
    main.open()
    await run.main.unwrap()
    expect(run.commands()).toMatchObject([{ status: 'submitting' }])
    answer.open()
    await expect(task.unwrap()).rejects.toBe(conflict)
    expect(run.commands()).toMatchObject([{ status: 'failed', error: { reason: 'conflict', decision: 'rejected' } }])
    expect(run.delays()).toEqual([])
  })

  it('but not for ever, also where it had begun', async () => {
    for (const isEarly of [true, false]) {
      const [main, begun, answer] = [createGate(), createGate(), createGate()]
      const run = await createCommandRun({
        answers: { 'approval.resolve': [{ gate: begun }, decided('rejected'), { gate: answer }] },
        rest: [{ gate: main }, decided('rejected'), completes],
        stays: false,
      })
      const task = run.approve()
      await begun.reached
      if (isEarly) begun.open()
      await endOfTask()
      main.open()
      await run.main.unwrap()
      begun.open()
      await answer.reached
      run.fireTimers(10_000)
      await expect(task.unwrap()).rejects.toMatchObject({ code: 'command_timeout', retryable: false })
      expect(run.commands()).toMatchObject([
        { status: 'failed', error: { reason: 'command_timeout', retryable: false, decision: 'rejected' } },
      ])
      expect(run.delays()).toEqual([])
    }
  })

  it('a cancel that is lost while the run is cancelled has succeeded, and closes the wire', async () => {
    const [main, answer] = [createGate(), createGate()]
    const run = await createCommandRun({
      answers: { 'run.cancel': [{ gate: answer }, { error: lost() }] },
      rest: [{ gate: main }, isCancelled],
    })
    const task = run.cancel()
    main.open()
    answer.open()
    await task.unwrap()
    expect(run.commands()).toMatchObject([{ status: 'succeeded' }])
    expect(run.connection('r1')?.state).toBe('idle')
  })

  it('a cancel that the run’s own end came before has failed, and says so', async () => {
    for (const answer of [[], [{ gate: createGate() }]]) {
      const main = createGate()
      const run = await createCommandRun({
        answers: { 'run.cancel': answer },
        rest: [{ gate: main }, completes],
        stays: false,
      })
      const task = run.cancel()
      await endOfTask()
      main.open()
      await expect(task.unwrap()).rejects.toMatchObject({
        code: 'run_ended',
        message: expect.stringContaining('own end'),
      })
      expect(run.commands()).toMatchObject([
        { status: 'failed', error: { code: 'provider_error', reason: 'run_ended', retryable: false } },
      ])
      expect(run.state().runs.r1?.status).toBe('completed')
    }
  })
})

describe('a conflict', () => {
  it('applies what it brings, and fails for good with the decision that stands', async () => {
    const conflict = Object.assign(new Error('x'), { code: 'conflict', retryable: false, decision: 'rejected' })
    const run = await createCommandRun({
      answers: { 'approval.resolve': [decided('rejected'), { error: conflict }] },
    })
    await expect(run.approve().unwrap()).rejects.toBe(conflict)
    expect(run.state().approvals['2:r1:a']).toMatchObject({ status: 'completed', decision: 'rejected' })
    const [entry] = run.commands()
    expect(entry).toMatchObject({
      status: 'failed',
      error: { code: 'provider_error', reason: 'conflict', retryable: false, decision: 'rejected' },
    })
    expect(JSON.parse(JSON.stringify(entry))).toEqual(entry)
  })

  it('whose decision is none says nothing of one', async () => {
    const conflict = Object.assign(new Error('x'), { code: 'conflict', decision: 'maybe <b>' })
    const run = await createCommandRun({ answers: { 'approval.resolve': [{ error: conflict }] } })
    await run.approve()
    expect(run.commands()[0]!.error).not.toHaveProperty('decision')
  })
})

describe('abortCommands', () => {
  it('gives up what a session’s commands wait for, and leaves its run and its state alone', async () => {
    const hung = createGate()
    const run = await createCommandRun({
      answers: { 'approval.resolve': inTurn([{ gate: hung }], []), 'tool.retry': [] },
    })
    const [sent, waiting] = [run.approve(), run.retry()]
    await hung.reached
    run.store.dispatch(run.agent.actions.abortCommands({ sessionId: 's2' }))
    await endOfTask()
    expect(run.commands().map(({ status }) => status)).toEqual(['submitting', 'submitting'])
    run.store.dispatch(run.agent.actions.abortCommands({ sessionId: 's1' }))
    await expect(sent.unwrap()).rejects.toMatchObject({ code: 'interrupted', retryable: true })
    await expect(waiting.unwrap()).rejects.toMatchObject({
      code: 'interrupted',
      message: expect.stringContaining('Not sent'),
    })
    expect(run.commands()).toMatchObject([
      { status: 'failed', error: { code: 'interrupted', retryable: true } },
      { status: 'failed', error: { code: 'interrupted', retryable: true } },
    ])
    expect(run.sent()).toEqual(['r1:command:c1'])
    expect(run.state()).toEqual(replayAgentEvents(run.opening))
    expect(run.connection('r1')?.state).toBe('connected')
    expect(run.delays()).toEqual([])
    // Whoever comes back repeats the wish under its key.
    await run.approve().unwrap()
    expect(run.sent()).toEqual(['r1:command:c1', 'r1:command:c1'])
  })

  it('gives up a cancel that waits for the end of the run', async () => {
    const run = await createCommandRun({ answers: { 'run.cancel': [] } })
    const task = run.cancel()
    await endOfTask()
    run.store.dispatch(run.agent.actions.abortCommands({ sessionId: 's1' }))
    await expect(task.unwrap()).rejects.toMatchObject({ code: 'interrupted', retryable: true })
    expect(run.state().runs.r1?.status).toBe('running')
    expect(run.provider.calls.opens[0]!.signal.aborted).toBe(false)
  })
})

describe('a wish', () => {
  it('of one session about a run of another is refused', async () => {
    const run = await createCommandRun({ answers: { 'approval.resolve': [], 'tool.retry': [], 'run.cancel': [] } })
    const { resolveApproval, retryTool, cancelRun } = run.agent.actions
    const target = { runId: 'r1', sessionId: 's2' }
    for (const action of [
      resolveApproval({ ...target, approvalId: 'a', decision: 'approved' }),
      retryTool({ ...target, toolCallId: 'failed' }),
      cancelRun(target),
    ]) {
      await expect(run.store.dispatch(action).unwrap()).rejects.toMatchObject({ code: 'missing_run' })
    }
    expect(run.commands()).toEqual([])
    const own = resolveApproval({ runId: 'r1', sessionId: 's1', approvalId: 'a', decision: 'approved' })
    await run.store.dispatch(own).unwrap()
    expect(run.provider.calls.commands[0]!.payload).toEqual({ approvalId: 'a', decision: 'approved' })
  })

  it.each(['r1', 'r2'])('while its session is restored is refused, whatever run it is about: %s', async (runId) => {
    const agent = createAgentRuntime()
    const initial = configureStore({ reducer: { agent: agent.reducer } }).getState()
    const connection = {
      ...{ runId: 'r1', sessionId: 's1', providerId: 'scripted', state: 'restoring' as const },
      ...{ detached: false, updatedAt: 0 },
    }
    const store = configureStore({
      reducer: { agent: agent.reducer },
      middleware: (getDefault) => getDefault().concat(agent.middleware),
      preloadedState: {
        agent: { ...initial.agent, connection: { runs: { r1: connection }, latestRunBySession: { s1: 'r1' } } },
      },
      devTools: false,
    })
    const task = store.dispatch(agent.actions.cancelRun({ runId, sessionId: 's1' }))
    await expect(task.unwrap()).rejects.toMatchObject({ code: 'restoring' })
  })

  it('repeated in another order of its fields is the same wish', async () => {
    const run = await createCommandRun({ answers: { 'approval.resolve': inTurn([{ error: lost() }], []) } })
    const data = { amount: 1, to: { iban: 'x', name: ['y', { z: 1, a: null }] } }
    const again = { to: { name: ['y', { a: null, z: 1 }], iban: 'x' }, amount: 1 }
    await run.approve('a', data)
    await run.approve('a', again).unwrap()
    expect(run.sent()).toEqual(['r1:command:c1', 'r1:command:c1'])
    expect(run.provider.calls.commands[1]).toEqual(run.provider.calls.commands[0])
  })

  it('has an id and a key of its own in every tab and after every reload, also of one run', async () => {
    const events = [
      createRun('r1').create('run.started', {}),
      createRun('r1').create('run.completed', {}, { sequence: 90 }),
    ]
    const sent: AgentCommand[] = []
    for (let tab = 0; tab < 3; tab += 1) {
      const gate = createGate()
      const provider = createScriptedProvider({
        steps: [{ events: events.slice(0, 1) }, { gate }, { events: events.slice(1) }],
        commands: { 'run.cancel': [] },
      })
      // The run's id is the server's here, the rest is as an app has it.
      const agent = createAgentRuntime({ providers: [provider], environment: { createId: createIds('r1') } })
      const store = configureStore({
        reducer: { agent: agent.reducer },
        middleware: (getDefault) => getDefault().concat(agent.middleware),
        devTools: false,
      })
      const main = store.dispatch(agent.actions.startRun({ sessionId: 's1', provider, input: null }))
      await gate.reached
      await endOfTask()
      const cancelled = store.dispatch(agent.actions.cancelRun({ runId: 'r1' }))
      await endOfTask()
      gate.open()
      await Promise.all([main, cancelled])
      sent.push(...provider.calls.commands)
    }
    expect(sent).toHaveLength(3)
    expect(new Set(sent.flatMap(({ commandId, idempotencyKey }) => [commandId, idempotencyKey])).size).toBe(6)
  })
})

/** The first id is given, the others are the host's. */
function createIds(first: string): () => string {
  let isFirst = true
  return () => {
    const id = isFirst ? first : crypto.randomUUID()
    isFirst = false
    return id
  }
}

describe('the answer of a command', () => {
  it('leaves what another command of the run is about alone', async () => {
    const run = await createCommandRun({
      answers: { 'approval.resolve': [{ events: (events) => [grant(events)] }] },
    })
    await run.approve('a').unwrap()
    expect(run.statusOf('approval.resolve', 'b')).toBeUndefined()
    expect(run.state().approvals['2:r1:b']?.status).toBe('waiting')
  })
})
