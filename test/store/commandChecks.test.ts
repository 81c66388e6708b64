import { AgentRuntimeError, type AgentRuntimeErrorCode } from 'redux-agent'
import { createGate, createScriptedProvider } from 'redux-agent/testing'
import { describe, expect, it } from 'vitest'
import { createCommandRun } from './createCommandRun.ts'
import { createHarness, endOfTask, expectSilentConsole } from './createHarness.ts'
import { createShortRun } from './createRunEvents.ts'

expectSilentConsole()

type Run = Awaited<ReturnType<typeof createCommandRun>>
type Attempt = (run: Run) => { unwrap(): Promise<unknown> }
const answers = { 'approval.resolve': [], 'tool.retry': [], 'run.cancel': [] } as const

const resolve =
  (options: Record<string, unknown>): Attempt =>
  ({ store, agent }) =>
    store.dispatch(agent.actions.resolveApproval({ runId: 'r1', approvalId: 'a', decision: 'approved', ...options }))
const cyclic: Record<string, unknown> = {}
cyclic.self = cyclic

const refusals: [string, AgentRuntimeErrorCode, RegExp, Attempt][] = [
  ['an approval of a run that does not exist', 'missing_run', /"nowhere"/, resolve({ runId: 'nowhere' })],
  ['an approval of a run with a hostile name', 'missing_run', /"__proto__"/, resolve({ runId: '__proto__' })],
  ['an approval that does not exist', 'approval_not_waiting', /"x" is not waiting/, resolve({ approvalId: 'x' })],
  ['an approval with a hostile name', 'approval_not_waiting', /"constructor"/, resolve({ approvalId: 'constructor' })],
  ['a decision that is none', 'invalid_command', /approved, rejected and modified/, resolve({ decision: 'expired' })],
  ['data that is no JSON', 'invalid_command', /not JSON/, resolve({ decision: 'modified', data: () => 1 })],
  [
    'a reason that is no text',
    'invalid_command',
    /AgentCommand 0\.1/,
    ({ store, agent }) => store.dispatch(agent.actions.cancelRun({ runId: 'r1', reason: 5 as never })),
  ],
  ['data that holds itself', 'invalid_command', /not JSON/, resolve({ decision: 'modified', data: cyclic })],
  [
    'an edit of what may not be edited',
    'not_editable',
    /"b"/,
    resolve({ approvalId: 'b', decision: 'modified', data: 1 }),
  ],
  ['another version', 'version_conflict', /version/, resolve({ expectedVersion: 2 })],
  ['a version of another kind', 'version_conflict', /version/, resolve({ expectedVersion: '1' })],
  ['a tool call that does not exist', 'tool_not_failed', /"x"/, (run) => run.retry('x')],
  ['a tool call that has not failed', 'tool_not_failed', /"pending"/, (run) => run.retry('pending')],
  ['a tool call that is not retryable', 'not_retryable', /"broken"/, (run) => run.retry('broken')],
  [
    'the cancellation of a run that does not exist',
    'missing_run',
    /"nowhere"/,
    ({ store, agent }) => store.dispatch(agent.actions.cancelRun({ runId: 'nowhere' })),
  ],
]

describe('before a command exists', () => {
  it.each(refusals)('%s is refused as %s', async (_, code, message, attempt) => {
    const run = await createCommandRun({ answers })
    const passed = run.passed.length
    const error: unknown = await attempt(run)
      .unwrap()
      .then(
        () => undefined,
        (thrown: unknown) => thrown,
      )
    expect(error).toBeInstanceOf(AgentRuntimeError)
    expect(error).toMatchObject({ name: 'AgentRuntimeError', code, message: expect.stringMatching(message) })
    expect(run.commands()).toEqual([])
    expect(run.passed).toHaveLength(passed)
    expect(run.provider.calls.commands).toEqual([])
  })

  it.each([
    ['the right version', resolve({ expectedVersion: 1 })],
    ['an edit', resolve({ decision: 'modified', data: { amount: 4 } })],
    ['an edit without data', resolve({ decision: 'modified' })],
    ['the rejection of what may not be edited', resolve({ approvalId: 'b', decision: 'rejected' })],
    ['the retry of a tool call that is retryable', (run: Run) => run.retry()],
  ] as [string, Attempt][])('%s passes', async (_, attempt) => {
    const run = await createCommandRun({ answers })
    expect(await attempt(run).unwrap()).toEqual({ commandId: 'r1:command:c1', idempotencyKey: 'r1:command:c1:key' })
    expect(run.commands()).toMatchObject([{ status: 'succeeded' }])
  })

  it.each(['approval.resolve', 'tool.retry', 'run.cancel'] as const)(
    '%s is refused where its provider does not take it',
    async (type) => {
      const run = await createCommandRun({
        answers,
        capabilities: { commands: Object.keys(answers).filter((key) => key !== type) as never },
      })
      const attempts = {
        'approval.resolve': () => run.approve(),
        'tool.retry': () => run.retry(),
        'run.cancel': () => run.cancel(),
      }
      await expect(attempts[type]().unwrap()).rejects.toMatchObject({ code: 'unsupported_capability' })
      const silent = await createCommandRun({ answers, capabilities: { commands: undefined } })
      await expect(silent.approve().unwrap()).rejects.toMatchObject({ code: 'unsupported_capability' })
      expect([...run.commands(), ...silent.commands()]).toEqual([])
    },
  )

  it('an action with a malformed command, from wherever, changes nothing', async () => {
    const run = await createCommandRun({ answers })
    await run.approve().unwrap()
    const { commandSubmitted, commandFailed } = run.agent.events
    const { command } = run.commands()[0]!
    const before = run.store.getState().agent
    const malformed = [
      { ...command, payload: null },
      { ...command, type: 'constructor' },
      { ...command, sessionId: 5 },
      null,
    ]
    for (const bad of malformed) {
      run.store.dispatch(commandSubmitted({ command: bad as never, at: 1 }))
      run.store.dispatch(
        commandFailed({ command: bad as never, at: 1, error: { code: 'interrupted', message: 'x', retryable: false } }),
      )
    }
    await endOfTask()
    expect(run.store.getState().agent.commandStates).toBe(before.commandStates)
    expect(run.store.getState().agent.agentState.sessions).toBe(before.agentState.sessions)
    expect(run.provider.calls.commands).toHaveLength(1)
  })

  it('an action that says nothing sound of a command, from wherever, changes nothing, and nobody trips over it', async () => {
    const run = await createCommandRun({ answers })
    void run.approve()
    await endOfTask()
    const { command } = run.commands()[0]!
    const before = run.store.getState().agent
    const error = { code: 'interrupted', message: 'x', retryable: false }
    const unsound = [
      ...[undefined, null, 5, [], {}, { command }, { command, at: Number.NaN }, { command: null, at: 1, error }],
      ...[undefined, 5, {}, { ...error, code: 'constructor' }, { ...error, retryable: 1 }].map((bad) => {
        return { command, at: 1, error: bad }
      }),
    ]
    for (const payload of unsound) {
      run.store.dispatch({ type: run.agent.events.commandFailed.type, payload })
      run.store.dispatch({ type: run.agent.events.commandReported.type, payload })
      run.store.dispatch({ type: run.agent.events.commandReported.type, payload: { state: payload, isLatest: true } })
      if ((payload as { at?: number } | undefined | null)?.at === 1) continue
      run.store.dispatch({ type: run.agent.events.commandSubmitted.type, payload })
      run.store.dispatch({ type: run.agent.events.commandSucceeded.type, payload })
    }
    await endOfTask()
    expect(run.store.getState().agent.commandStates).toBe(before.commandStates)
    expect(run.store.getState().agent.agentState.sessions).toBe(before.agentState.sessions)
    expect(run.provider.calls.commands).toHaveLength(1)
  })

  it('nothing is asked of a run that has ended', async () => {
    const provider = createScriptedProvider({ steps: [{ events: createShortRun('r1') }], commands: answers })
    const { store, agent, commands } = createHarness({ providers: [provider], ids: ['r1'] })
    await store.dispatch(agent.actions.startRun({ sessionId: 's1', provider: 'scripted', input: null }))
    const task = store.dispatch(agent.actions.retryTool({ runId: 'r1', toolCallId: 't' }))
    await expect(task.unwrap()).rejects.toMatchObject({
      code: 'run_ended',
      message: expect.stringContaining('completed'),
    })
    expect(commands()).toEqual([])
  })

  it('nothing is asked of a run whose provider is not known here', async () => {
    const { store, agent, commands } = createHarness()
    store.dispatch(agent.events.eventsReceived({ sessionId: 's1', events: createShortRun('r1').slice(0, 1) }, 1))
    const task = store.dispatch(agent.actions.cancelRun({ runId: 'r1' }))
    await expect(task.unwrap()).rejects.toMatchObject({ code: 'unknown_provider' })
    expect(commands()).toEqual([])
  })

  it('an approval that is decided says how', async () => {
    const run = await createCommandRun({
      answers: {
        'approval.resolve': [
          { events: (events) => [events.create('approval.resolved', { approvalId: 'a', decision: 'rejected' })] },
        ],
      },
    })
    await run.approve().unwrap()
    await expect(run.approve().unwrap()).rejects.toMatchObject({
      code: 'approval_not_waiting',
      message: 'Approval "a" is not waiting: it is already rejected.',
    })
  })

  it('the same action twice is refused while the first is under way; another one is not', async () => {
    const gate = createGate()
    const run = await createCommandRun({
      answers: { ...answers, 'approval.resolve': [{ gate }], 'tool.retry': [{ gate }] },
    })
    const tasks = [run.approve('a'), run.retry(), run.approve('b')]
    await expect(run.approve('a').unwrap()).rejects.toMatchObject({ code: 'already_submitted' })
    await expect(run.approve('a', { amount: 1 }).unwrap()).rejects.toMatchObject({ code: 'already_submitted' })
    await expect(run.retry().unwrap()).rejects.toMatchObject({ code: 'already_submitted' })
    expect(run.commands().map(({ status }) => status)).toEqual(['submitting', 'submitting', 'submitting'])
    gate.open()
    await Promise.all(tasks.map((task) => task.unwrap()))
    expect(run.commands().map(({ status }) => status)).toEqual(['succeeded', 'succeeded', 'succeeded'])
  })

  it('nothing more is asked while a cancellation is under way', async () => {
    const gate = createGate()
    const run = await createCommandRun({ answers: { ...answers, 'run.cancel': [{ gate }] } })
    const cancelled = run.cancel()
    for (const task of [run.approve(), run.retry(), run.cancel()]) {
      await expect(task.unwrap()).rejects.toMatchObject({ code: 'already_submitted' })
    }
    gate.open()
    await endOfTask()
    run.fireTimers(10_000)
    await expect(cancelled.unwrap()).rejects.toMatchObject({ code: 'command_timeout' })
    await run.approve().unwrap()
  })
})
