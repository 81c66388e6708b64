import fc from 'fast-check'
import type { AgentCommand, AgentTask } from 'redux-agent'
import { expect } from 'vitest'
import { createHarness, endOfTask } from './createHarness.ts'
import { createModelServer, type Block } from './createModelServer.ts'

/** What a run does: it says something, asks, and fails at tools. */
export const commandBlocks = fc.array(fc.constantFrom<Block>('say', 'ask', 'ask', 'ask', 'fail'), {
  minLength: 2,
  maxLength: 6,
})

/** What may happen to a run and its commands: at the server, on the wire, by the person, in time. */
export const commandTurns = fc.oneof(
  { weight: 5, arbitrary: fc.record({ name: fc.constant('main' as const), count: fc.nat(9), back: fc.nat(3) }) },
  { weight: 4, arbitrary: fc.record({ name: fc.constant('answer' as const), isLost: fc.nat(3).map((n) => n === 0) }) },
  { weight: 5, arbitrary: fc.record({ name: fc.constant('click' as const), pick: fc.nat(5) }) },
  {
    weight: 2,
    arbitrary: fc.oneof(
      fc.constantFrom(...(['cancel', 'abort', 'resume', 'frame', 'timeout'] as const)).map((name) => ({ name })),
      fc.record({ name: fc.constant('elsewhere' as const), isGranted: fc.boolean() }),
    ),
  },
)
export type CommandTurn = typeof commandTurns extends fc.Arbitrary<infer Value> ? Value : never

/** A model server's run in a store of its own, and the means to do all that may happen to it. */
export function createCommandSession(
  blocks: readonly Block[],
  options: Pick<Parameters<typeof createHarness>[0] & object, 'enhancer'> = {},
) {
  const server = createModelServer(blocks)
  const harness = createHarness({ providers: [server.provider], ids: ['r1'], ...options })
  const { store, agent } = harness
  const { startRun, resolveApproval, retryTool, cancelRun, abortRun, resumeRun } = agent.actions
  const tasks: AgentTask<unknown>[] = [store.dispatch(startRun({ sessionId: 's1', provider: 'model', input: null }))]

  /** Presses a button that the page shows. */
  function click(pick: number) {
    const { approvals, toolCalls } = harness.state()
    const decide = (approvalId: string, decision: 'approved' | 'rejected') => ({
      of: { type: 'approval.resolve' as const, entityId: approvalId },
      payload: { approvalId, decision },
      press: () => store.dispatch(resolveApproval({ runId: 'r1', approvalId, decision })),
    })
    const retry = (toolCallId: string) => ({
      of: { type: 'tool.retry' as const, entityId: toolCallId },
      payload: { toolCallId },
      press: () => store.dispatch(retryTool({ runId: 'r1', toolCallId })),
    })
    const buttons = [
      ...Object.values(approvals)
        .filter(({ status }) => status === 'waiting')
        .flatMap(({ id }) => [decide(id, 'approved'), decide(id, 'rejected')]),
      ...Object.values(toolCalls)
        .filter(({ status }) => status === 'failed')
        .map(({ id }) => retry(id)),
    ]
    const button = buttons[pick % buttons.length]
    if (!button) return
    const latest = () => harness.selectors.selectCommandForAction(store.getState(), { runId: 'r1', ...button.of })
    const before = latest()
    tasks.push(button.press())
    const after = latest()
    // The same wish after a failure is the same command, any other wish another one.
    const isRepeated = JSON.stringify(before?.command.payload) === JSON.stringify(button.payload)
    if (before?.status === 'failed' && after?.status === 'submitting') expect(after.key === before.key).toBe(isRepeated)
  }

  async function take(turn: CommandTurn) {
    switch (turn.name) {
      case 'main':
        server.advance()
        server.deliver(turn.count, turn.back)
        break
      case 'answer':
        server.answer(turn.isLost)
        break
      case 'click':
        click(turn.pick)
        break
      case 'cancel':
        tasks.push(store.dispatch(cancelRun({ runId: 'r1', reason: 'enough' })))
        break
      case 'elsewhere':
        server.decideElsewhere(turn.isGranted ? 'approved' : 'rejected')
        break
      case 'abort':
        store.dispatch(abortRun({ runId: 'r1' }))
        break
      case 'resume':
        tasks.push(store.dispatch(resumeRun({ runId: 'r1' })))
        break
      case 'frame':
        harness.fireFrame()
        break
      case 'timeout':
        harness.fireTimers(10_000)
        break
    }
    await endOfTask()
  }

  /** Lets everything come to its end. */
  async function finish() {
    for (let round = 0; round < 200; round += 1) {
      server.decideElsewhere('approved')
      server.advance()
      server.answer()
      if (harness.state().runs.r1?.status !== 'completed' && harness.state().runs.r1?.status !== 'cancelled') {
        store.dispatch(resumeRun({ runId: 'r1' }))
      }
      await endOfTask()
      server.deliver(100)
      await endOfTask()
      // What is lost is tried again, and what hangs is given up: but nothing that has just come.
      harness.fireAllTimers()
      await endOfTask()
      const isDone = server.isOver() && harness.commands().every(({ status }) => status !== 'submitting')
      const { r1 } = harness.state().runs
      if (isDone && r1 && r1.status !== 'running') break
    }
    let open = tasks.length
    for (const task of tasks) void task.then(() => (open -= 1))
    await endOfTask()
    expect(open).toBe(0)
  }
  return { ...harness, server, tasks, take, finish }
}

/** Of each action at most one command is under way, and one besides a cancel for the whole run. */
export function expectOrder({ commands, server }: ReturnType<typeof createCommandSession>) {
  expect(server.underWay().filter(({ type }) => type !== 'run.cancel').length).toBeLessThanOrEqual(1)
  const submitting = commands().filter(({ status }) => status === 'submitting')
  const actions = submitting.map(({ command: { type, payload } }) =>
    JSON.stringify([
      type,
      'approvalId' in payload ? payload.approvalId : 'toolCallId' in payload && payload.toolCallId,
    ]),
  )
  expect(new Set(actions).size).toBe(actions.length)
}

/** What the server decided is what the command says became of it. */
export function expectOutcomes({ commands, server, state }: ReturnType<typeof createCommandSession>) {
  const keys = new Map<string, AgentCommand>()
  for (const command of server.sent) {
    expect(keys.get(command.idempotencyKey) ?? command).toEqual(command)
    keys.set(command.idempotencyKey, command)
  }
  expect(new Set([...keys.values()].map(({ commandId }) => commandId)).size).toBe(keys.size)
  for (const { status, command, error } of commands()) {
    expect(status).not.toBe('submitting')
    if (error?.code === 'provider_error') expect(error.reason).toMatch(/^(conflict|network|command_timeout|run_ended)$/)
    else if (error) expect(error.code).toBe('interrupted')
    if (command.type !== 'approval.resolve') continue
    const { decision } = state().approvals[`2:r1:${command.payload.approvalId}`]!
    // Nothing has succeeded that was decided otherwise, and whoever failed for another's decision is told which.
    if (status === 'succeeded') expect(decision).toBe(command.payload.decision)
    if (error?.decision) expect(error).toMatchObject({ decision, retryable: false })
  }
}
