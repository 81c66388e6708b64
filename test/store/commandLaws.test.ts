import fc from 'fast-check'
import { replayAgentEvents, type AgentCommand, type AgentEvent } from 'redux-agent'
import { createGate, createScriptedProvider } from 'redux-agent/testing'
import { describe, expect, it } from 'vitest'
import { createOpening } from './createCommandRun.ts'
import { createHarness, endOfTask, expectSilentConsole } from './createHarness.ts'
import { createRun } from './createRunEvents.ts'

expectSilentConsole()

const turns = [
  'approve a',
  'approve b',
  'edit a',
  'retry',
  'cancel',
  'answer',
  'fail',
  'timeout',
  'abort',
  'end',
  'frame',
] as const

/** A provider whose answers end, or fail, when the test says so; it counts what is under way. */
function createAnswering(capabilities: { sequence?: 'dense' }) {
  const run = createRun('r1')
  const opening = createOpening(run)
  const ending = [run.create('run.completed', {})]
  const main = createGate()
  const open: { command: AgentCommand; signal: AbortSignal; settle: (error?: Error) => void }[] = []
  const sent: AgentCommand[] = []
  const provider = createScriptedProvider({
    capabilities: { ...capabilities, commands: ['approval.resolve', 'tool.retry', 'run.cancel'] },
    steps: [{ events: opening }, { gate: main }, { events: ending }],
  })
  const execute = async function* execute(command: AgentCommand, signal: AbortSignal): AsyncGenerator<AgentEvent> {
    await new Promise<void>((resolve, reject) => {
      open.push({ command, signal, settle: (error) => (error ? reject(error) : resolve()) })
    })
    yield* []
  }
  provider.executeCommand = (command, { signal }) => {
    sent.push(command)
    return execute(command, signal)
  }
  /** The commands that wait in the provider and were not given up. */
  const underWay = () => open.filter(({ signal }) => !signal.aborted).map(({ command }) => command)
  return { provider, opening, ending, main, open, sent, underWay }
}

describe.each([
  ['of a dense provider', { sequence: 'dense' as const }],
  ['of a provider whose sequences only rise', {}],
])('for every course of clicks, answers, failures and timeouts %s', (_, capabilities) => {
  it('no action is under way twice, none goes past the queue but a cancel, and nothing stays submitting', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...turns), { maxLength: 25 }), async (course) => {
        const { provider, opening, ending, main, open, sent, underWay } = createAnswering(capabilities)
        const harness = createHarness({ providers: [provider], ids: ['r1'] })
        const { store, agent } = harness
        const { resolveApproval, retryTool, cancelRun, abortRun, startRun } = agent.actions
        const running = store.dispatch(startRun({ sessionId: 's1', provider: 'scripted', input: null }))
        await endOfTask()
        const tasks: PromiseLike<unknown>[] = []
        const act: Record<(typeof turns)[number], () => void> = {
          'approve a': () =>
            tasks.push(store.dispatch(resolveApproval({ runId: 'r1', approvalId: 'a', decision: 'approved' }))),
          'approve b': () =>
            tasks.push(store.dispatch(resolveApproval({ runId: 'r1', approvalId: 'b', decision: 'rejected' }))),
          'edit a': () =>
            tasks.push(
              store.dispatch(resolveApproval({ runId: 'r1', approvalId: 'a', decision: 'modified', data: 1 })),
            ),
          retry: () => tasks.push(store.dispatch(retryTool({ runId: 'r1', toolCallId: 'failed' }))),
          cancel: () => tasks.push(store.dispatch(cancelRun({ runId: 'r1' }))),
          answer: () => open.shift()?.settle(),
          fail: () => open.shift()?.settle(new Error('Down.')),
          timeout: () => harness.fireTimers(10_000),
          abort: () => store.dispatch(abortRun({ runId: 'r1' })),
          end: main.open,
          frame: harness.fireFrame,
        }
        for (const turn of course) {
          const wasRunning = harness.state().runs.r1?.status === 'running'
          const before = sent.length
          act[turn]()
          await endOfTask()
          if (!wasRunning) expect(sent).toHaveLength(before)
          expect(underWay().filter(({ type }) => type !== 'run.cancel').length).toBeLessThanOrEqual(1)
          const submitting = harness.commands().filter(({ status }) => status === 'submitting')
          const actions = submitting.map(
            ({ command: { type, payload } }) => `${type}:${'approvalId' in payload ? payload.approvalId : ''}`,
          )
          expect(new Set(actions).size).toBe(actions.length)
          const latest = Object.values(harness.selectors.selectLatestCommandByAction(store.getState(), 's1'))
          expect(harness.commands().filter(({ key }) => latest.includes(key))).toHaveLength(latest.length)
          for (const { key, command } of harness.commands()) {
            expect(key).toBe(command.commandId)
            expect(
              harness.commands().filter((entry) => entry.command.idempotencyKey === command.idempotencyKey),
            ).toHaveLength(1)
          }
        }
        const isEnded = course.includes('end') && !course.slice(0, course.indexOf('end')).includes('abort')
        for (let round = 0; round < 30; round += 1) {
          open.shift()?.settle()
          harness.fireTimers(10_000)
          await endOfTask()
        }
        main.open()
        await Promise.all([running, ...tasks])
        expect(harness.commands().filter(({ status }) => status === 'submitting')).toEqual([])
        expect(harness.delays()).toEqual([])
        const keys = new Map(
          sent.map((command) => [
            command.commandId,
            JSON.stringify([command.type, command.payload, command.idempotencyKey]),
          ]),
        )
        for (const command of sent) {
          expect(JSON.stringify([command.type, command.payload, command.idempotencyKey])).toBe(
            keys.get(command.commandId),
          )
        }
        const events = [...opening, ...(isEnded || !course.includes('abort') ? ending : [])]
        expect(harness.state()).toEqual(replayAgentEvents(events))
      }),
      { numRuns: 100 },
    )
  })
})
