import { replayAgentEvents, type AgentEvent } from 'redux-agent'
import { createGate, type ScriptedStep } from 'redux-agent/testing'
import { describe, expect, it } from 'vitest'
import type { Answers } from './createCommandRun.ts'
import { endOfTask, expectSilentConsole } from './createHarness.ts'
import { createResumableRun, lost } from './createResumableRun.ts'
import { createRun } from './createRunEvents.ts'

expectSilentConsole()

/** A run that goes on at its server while a person is asked: `meanwhile` comes before the decision's own events. */
function createLog(end: 'run.completed' | 'run.cancelled' = 'run.completed') {
  const run = createRun('r1')
  const before = [run.create('run.started', {}), run.create('approval.requested', { approvalId: 'a' })]
  const meanwhile = [
    run.create('task.created', { taskId: 't', title: 'Meanwhile' }),
    run.create('task.completed', { taskId: 't' }),
  ]
  const decided =
    end === 'run.cancelled'
      ? [run.create('run.cancelled', {})]
      : [run.create('approval.resolved', { approvalId: 'a', decision: 'approved' })]
  const after = end === 'run.cancelled' ? [] : [run.create('run.completed', {})]
  return { before, meanwhile, decided, after, all: [...before, ...meanwhile, ...decided, ...after] }
}

const toSteps = (events: readonly AgentEvent[]): ScriptedStep[] =>
  events.map((event) => ({ events: [event], cursor: String(event.sequence) }))

/**
 * A dense run whose wire this page closed after the question; the second wire brings what `rest` says.
 */
async function createLeftRun(options: {
  log: ReturnType<typeof createLog>
  answers: Answers
  rest: readonly ScriptedStep[]
  capabilities?: { resumable: boolean }
}) {
  const { log, answers, rest, capabilities } = options
  let opened = 0
  const run = createResumableRun({
    steps: () => [...toSteps(log.before), ...(opened++ === 0 ? [{ gate: createGate() }] : rest)],
    commands: answers,
    capabilities,
  })
  const main = run.start()
  await run.rest()
  run.store.dispatch(run.agent.actions.abortRun({ runId: 'r1' }))
  await main
  const { resolveApproval, cancelRun } = run.agent.actions
  return {
    ...run,
    approve: () => run.store.dispatch(resolveApproval({ runId: 'r1', approvalId: 'a', decision: 'approved' })),
    cancel: () => run.store.dispatch(cancelRun({ runId: 'r1' })),
  }
}

describe('a command of a run that this page let go of, whose answer is ahead of what the page knows', () => {
  it('has its fact when it is done: what lies between is read once, and the run stays let go of', async () => {
    const log = createLog()
    const end = createGate()
    const run = await createLeftRun({
      log,
      answers: { 'approval.resolve': [{ events: log.decided }] },
      rest: [...toSteps(log.meanwhile), { gate: end }, ...toSteps(log.after)],
    })
    await run.approve().unwrap()
    expect(run.commands()).toMatchObject([{ status: 'succeeded' }])
    expect(run.state()).toEqual(replayAgentEvents([...log.before, ...log.meanwhile, ...log.decided]))
    expect(run.opened()).toEqual(['open', '2'])
    expect(run.connection('r1')).toMatchObject({ state: 'idle', detached: true, canResume: true })
    expect(run.provider.calls.resumes[0]!.signal.aborted).toBe(true)
    expect(run.delays()).toEqual([])
  })

  it('is done without it where nothing brings it in time; a resume does, later on', async () => {
    const log = createLog()
    const run = await createLeftRun({
      log,
      answers: { 'approval.resolve': [{ events: log.decided }] },
      rest: [{ gate: createGate() }],
    })
    const task = run.approve()
    await run.rest()
    expect(run.commands()).toMatchObject([{ status: 'submitting' }])
    run.fireTimers(10_000)
    await task.unwrap()
    expect(run.commands()).toMatchObject([{ status: 'succeeded' }])
    expect(run.state()).toEqual(replayAgentEvents(log.before))
    expect(run.connection('r1')).toMatchObject({ detached: true })
    expect(run.delays()).toEqual([])
  })

  it.each([
    ['breaks', [{ error: lost() }]],
    ['ends', []],
    ['brings what is no event', [{ events: [{ type: 'nonsense' } as never] }]],
  ])('is done without it where that wire %s', async (_, rest: readonly ScriptedStep[]) => {
    const log = createLog()
    const run = await createLeftRun({ log, answers: { 'approval.resolve': [{ events: log.decided }] }, rest })
    await run.approve().unwrap()
    expect(run.state()).toEqual(replayAgentEvents(log.before))
    expect(run.connection('r1')).toMatchObject({ state: 'idle', detached: true })
    expect(run.delays()).toEqual([])
  })

  it.each(['says so', 'has no way to'])('asks for nothing where its provider cannot resume, as it %s', async (how) => {
    const log = createLog()
    const run = await createLeftRun({
      log,
      answers: { 'approval.resolve': [{ events: log.decided }] },
      rest: [],
      capabilities: { resumable: how !== 'says so' },
    })
    if (how !== 'says so') Object.assign(run.provider.transport, { resume: undefined })
    await run.approve().unwrap()
    expect(run.opened()).toEqual(['open'])
  })

  it('that comes after another decision applies what stands as well', async () => {
    const log = createLog()
    const conflict = Object.assign(new Error('x'), { code: 'conflict', decision: 'approved' })
    const run = await createLeftRun({
      log,
      answers: { 'approval.resolve': [{ events: log.decided }, { error: conflict }] },
      rest: [...toSteps(log.meanwhile), { gate: createGate() }],
    })
    await expect(run.approve().unwrap()).rejects.toBe(conflict)
    expect(run.commands()).toMatchObject([{ status: 'failed', error: { reason: 'conflict', decision: 'approved' } }])
    expect(run.state()).toEqual(replayAgentEvents([...log.before, ...log.meanwhile, ...log.decided]))
  })

  it('gives way to an abort of the session’s commands, and has succeeded', async () => {
    const log = createLog()
    const run = await createLeftRun({
      log,
      answers: { 'approval.resolve': [{ events: log.decided }] },
      rest: [{ gate: createGate() }],
    })
    const task = run.approve()
    await run.rest()
    run.store.dispatch(run.agent.actions.abortCommands({ sessionId: 's1' }))
    await task.unwrap()
    expect(run.provider.calls.resumes[0]!.signal.aborted).toBe(true)
    expect(run.commands()).toMatchObject([{ status: 'succeeded' }])
  })

  it('is a cancel that sees its run cancelled', async () => {
    const log = createLog('run.cancelled')
    const run = await createLeftRun({
      log,
      answers: { 'run.cancel': [{ events: log.decided }] },
      rest: [...toSteps(log.meanwhile), { gate: createGate() }],
    })
    await run.cancel().unwrap()
    expect(run.state()).toEqual(replayAgentEvents(log.all))
    expect(run.connection('r1')).toMatchObject({ state: 'idle', detached: false })
    await endOfTask()
    expect(run.delays()).toEqual([])
  })
})
