import fc from 'fast-check'
import type { AgentEvent } from 'redux-agent'
import { createGate, createScriptedProvider, type ScriptedStep } from 'redux-agent/testing'
import { describe, expect, it } from 'vitest'
import { createHarness, endOfTask, expectSilentConsole } from './createHarness.ts'
import { createRun } from './createRunEvents.ts'

expectSilentConsole()

const words = Array.from({ length: 8 }, (_, index) => `<${index}>`)

/** A run that asks twice; its sequences rise by leaps. */
function createAskingRun() {
  const run = createRun('r1')
  let sequence = 0
  const at = () => ({ sequence: (sequence += 3) })
  const before = [
    run.create('run.started', {}, at()),
    run.create('message.started', { messageId: 'm', role: 'assistant' }, at()),
    run.create('approval.requested', { approvalId: 'a' }, at()),
    run.create('approval.requested', { approvalId: 'b' }, at()),
  ]
  const say = (delta: string) => run.create('message.delta', { messageId: 'm', delta }, at())
  const after = [
    ...words.slice(0, 3).map(say),
    run.create('approval.resolved', { approvalId: 'a', decision: 'approved' }, at()),
    ...words.slice(3, 6).map(say),
    run.create('approval.resolved', { approvalId: 'b', decision: 'approved' }, at()),
    ...words.slice(6).map(say),
    run.create('run.completed', {}, at()),
  ]
  return { before, all: [...before, ...after] }
}

/** Pieces of a stream, each after a gate; with `repeats` a piece comes again. */
function createStream(events: readonly AgentEvent[], sizes: readonly number[], repeats: boolean) {
  const gates: ReturnType<typeof createGate>[] = []
  const steps: ScriptedStep[] = []
  let from = 0
  for (const size of sizes) {
    const gate = createGate()
    gates.push(gate)
    steps.push({ gate }, { events: events.slice(from, from + size) })
    from += size
  }
  if (repeats && from > 0) steps.push({ events: events.slice(Math.max(0, from - 1), from) })
  const open = () => gates.shift()?.open()
  return { steps, open, isDone: () => gates.length === 0 }
}

const sizes = fc.array(fc.nat(4), { maxLength: 4 })

describe('of a provider whose sequences only rise', () => {
  it('nothing is applied twice, and the commands say what became of them, in every order of the channels', async () => {
    const turns = fc.array(fc.constantFrom('main', 'a', 'b', 'frame', 'click a', 'click b', 'abort'), { maxLength: 24 })
    const streams = fc.record({
      main: sizes,
      a: sizes,
      b: sizes,
      starts: fc.tuple(fc.nat(12), fc.nat(12)),
      repeats: fc.boolean(),
      isParked: fc.boolean(),
    })
    await fc.assert(
      fc.asyncProperty(streams, turns, async (plan, order) => {
        const { before, all } = createAskingRun()
        const rest = createGate()
        const main = createStream(all.slice(before.length), plan.main, false)
        const tails = { a: all.slice(2 + plan.starts[0]), b: all.slice(2 + plan.starts[1]) }
        const answers = {
          a: createStream(tails.a, plan.a, plan.repeats),
          b: createStream(tails.b, plan.b, false),
        }
        const provider = createScriptedProvider({
          steps: [{ events: before }, ...main.steps, ...(plan.isParked ? [] : [{ gate: rest }])],
          commands: { 'approval.resolve': ({ payload }) => answers[(payload as { approvalId: 'a' }).approvalId].steps },
        })
        const initial = new Map<string, number>()
        const { executeCommand } = provider
        provider.executeCommand = (command, options) => {
          initial.set((command.payload as { approvalId: string }).approvalId, options.initialSequence)
          return executeCommand!(command, options)
        }
        const harness = createHarness({ providers: [provider], ids: ['r1'] })
        const { store, agent } = harness
        const tasks: PromiseLike<unknown>[] = [
          store.dispatch(agent.actions.startRun({ sessionId: 's1', provider: 'scripted', input: null })),
        ]
        const approve = (approvalId: string) =>
          tasks.push(store.dispatch(agent.actions.resolveApproval({ runId: 'r1', approvalId, decision: 'approved' })))
        await endOfTask()
        const clicked = new Set<string>()
        for (const turn of order) {
          if (turn === 'main') main.open()
          else if (turn === 'a' || turn === 'b') answers[turn].open()
          else if (turn === 'frame') harness.fireFrame()
          else if (turn === 'abort') store.dispatch(agent.actions.abortRun({ runId: 'r1' }))
          else if (!clicked.has(turn)) {
            clicked.add(turn)
            approve(turn.slice(-1))
          }
          await endOfTask()
          expectOnce()
        }
        rest.open()
        for (let round = 0; round < 12; round += 1) {
          for (const stream of [main, answers.a, answers.b]) stream.open()
          await endOfTask()
        }
        harness.fireFrame()
        harness.fireTimers(10_000)
        await endOfTask()
        expectOnce()
        let open = tasks.length
        for (const task of tasks) void task.then(() => (open -= 1))
        await endOfTask()
        expect(open).toBe(0)

        const { issues } = harness.state()
        for (const { status, error, command } of harness.commands()) {
          const { approvalId } = command.payload as { approvalId: 'a' | 'b' }
          const first = tails[approvalId].slice(0, answered(plan[approvalId]))[0]
          const isLate = first !== undefined && first.sequence <= (initial.get(approvalId) ?? Infinity)
          const refused = tails[approvalId].some(({ eventId }) => issues.some((issue) => issue.eventId === eventId))
          const { decision } = harness.state().approvals[`2:r1:${approvalId}`]!
          // The fact stands for an answer that did not come, or came too late to be one.
          if (status === 'succeeded') expect(!isLate || decision === 'approved').toBe(true)
          // Why it failed shows: its events came too late, or it was given up with its wire, or with its run.
          else if (error?.code === 'protocol_error') expect(isLate || refused || plan.repeats).toBe(true)
          else expect(error?.code === 'interrupted' || error?.reason === 'command_timeout').toBe(true)
        }

        function expectOnce() {
          const content = String(harness.state().messages['2:r1:m']?.content ?? '')
          const said: readonly string[] = content.match(/<\d>/g) ?? []
          expect(said).toEqual(words.filter((word) => said.includes(word)))
          expect(said.join('')).toBe(content)
        }
      }),
      { numRuns: 150 },
    )
  })
})

/** How many events a stream of such pieces brings. */
const answered = (pieces: readonly number[]) => pieces.reduce((sum, size) => sum + size, 0)
