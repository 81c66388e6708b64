import fc from 'fast-check'
import { createAgentEventFactory, replayAgentEvents, type AgentEvent } from 'redux-agent'
import { createGate, createScriptedProvider, type ScriptedStep } from 'redux-agent/testing'
import { describe, expect, it } from 'vitest'
import { createHarness, endOfTask, expectSilentConsole } from './createHarness.ts'
import { createRun } from './createRunEvents.ts'

expectSilentConsole()

const dense = { sequence: 'dense' as const }

/** A run of a server that counts: what it says before the decision, the decision's own events, and the rest. */
function createDecidedRun(first: 0 | 1 = 1) {
  const run = createAgentEventFactory({ runId: 'r1', sessionId: 's1', initialSequence: first - 1, now: () => 1000 })
  const before = [
    run.create('run.started', {}),
    run.create('message.started', { messageId: 'm', role: 'assistant' }),
    run.create('tool.requested', { toolCallId: 't', name: 'write' }),
    run.create('approval.requested', { approvalId: 'a', toolCallId: 't' }),
  ]
  const meanwhile = [run.create('message.delta', { messageId: 'm', delta: 'One ' })]
  const decided = [
    run.create('approval.resolved', { approvalId: 'a', decision: 'approved' }),
    run.create('tool.running', { toolCallId: 't' }),
    run.create('tool.completed', { toolCallId: 't', result: 1 }),
  ]
  const after = [
    run.create('message.delta', { messageId: 'm', delta: 'moment.' }),
    run.create('message.completed', { messageId: 'm' }),
    run.create('run.completed', {}),
  ]
  return { before, meanwhile, decided, after, all: [...before, ...meanwhile, ...decided, ...after] }
}

async function createDense(options: {
  before: readonly AgentEvent[]
  rest: readonly ScriptedStep[]
  answer: readonly ScriptedStep[]
}) {
  const provider = createScriptedProvider({
    capabilities: dense,
    steps: [{ events: options.before }, ...options.rest],
    commands: { 'approval.resolve': options.answer },
  })
  const harness = createHarness({ providers: [provider], ids: ['r1', 'c1'] })
  const { store, agent } = harness
  const main = store.dispatch(agent.actions.startRun({ sessionId: 's1', provider: 'scripted', input: null }))
  await endOfTask()
  const approve = () =>
    store.dispatch(agent.actions.resolveApproval({ runId: 'r1', approvalId: 'a', decision: 'approved' }))
  return { ...harness, provider, main, approve }
}

describe('a command’s answer of a dense provider', () => {
  it('waits where it is ahead of the main stream', async () => {
    const { before, meanwhile, decided, after, all } = createDecidedRun()
    const gate = createGate()
    const rest = [{ gate }, { events: [...meanwhile, ...decided, ...after] }]
    const run = await createDense({ before, rest, answer: [{ events: decided }] })
    await run.approve().unwrap()
    expect(run.state()).toEqual(replayAgentEvents(before))
    gate.open()
    await run.main.unwrap()
    expect(run.state()).toEqual(replayAgentEvents(all))
    expect(run.commands()).toMatchObject([{ status: 'succeeded' }])
  })

  it('is absorbed where the main stream was faster', async () => {
    const { before, meanwhile, decided, after, all } = createDecidedRun()
    const [main, answer] = [createGate(), createGate()]
    const rest = [{ gate: main }, { events: [...meanwhile, ...decided] }, { events: after }]
    const run = await createDense({ before, rest, answer: [{ gate: answer }, { events: [...meanwhile, ...decided] }] })
    const task = run.approve()
    main.open()
    await run.main.unwrap()
    answer.open()
    await task.unwrap()
    expect(run.state()).toEqual(replayAgentEvents(all))
    expect(run.commands()).toMatchObject([{ status: 'succeeded' }])
  })

  it('may be the rest of the run', async () => {
    const { before, meanwhile, decided, after, all } = createDecidedRun()
    const run = await createDense({ before, rest: [], answer: [{ events: [...meanwhile, ...decided, ...after] }] })
    await run.main.unwrap()
    expect(run.connection('r1')?.state).toBe('idle')
    await run.approve().unwrap()
    expect(run.state()).toEqual(replayAgentEvents(all))
    expect(run.commands()).toMatchObject([{ status: 'succeeded' }])
  })

  it('is put in order where the server counts from nought', async () => {
    const { before, meanwhile, decided, after, all } = createDecidedRun(0)
    expect(all.map(({ sequence }) => sequence)).toEqual(all.map((_, index) => index))
    const gate = createGate()
    const run = await createDense({
      before,
      rest: [{ gate }, { events: [...meanwhile, ...after] }],
      answer: [{ events: decided }],
    })
    await run.approve().unwrap()
    gate.open()
    await run.main.unwrap()
    expect(run.state()).toEqual(replayAgentEvents(all))
  })

  it('ends in the plain replay in every order of the two channels, with whatever comes twice, and of an abort', async () => {
    const pieces = fc.array(fc.tuple(fc.nat(3), fc.nat(5)), { maxLength: 6 })
    const turns = fc.array(fc.constantFrom('main', 'main', 'answer', 'answer', 'frame', 'abort'), { maxLength: 24 })
    const begins = fc.tuple(fc.constantFrom<0 | 1>(0, 1), fc.nat(10))
    await fc.assert(
      fc.asyncProperty(pieces, pieces, turns, begins, async (mainPieces, answerPieces, order, [first, answerStart]) => {
        const { before, all } = createDecidedRun(first)
        const main = createPieces(all, before.length, mainPieces)
        const answer = createPieces(all, answerStart, answerPieces)
        const rest = createGate()
        const run = await createDense({
          before,
          rest: [...main.steps, { gate: rest }, { events: all.slice(before.length) }],
          answer: answer.steps,
        })
        const task = run.approve()
        for (const turn of order) {
          if (turn === 'main') main.open()
          else if (turn === 'answer') answer.open()
          else if (turn === 'frame') run.fireFrame()
          else run.store.dispatch(run.agent.actions.abortRun({ runId: 'r1' }))
          await endOfTask()
          const { issues, lastSequenceByRun } = run.state()
          expect(issues).toEqual([])
          const told = all.findIndex(({ sequence }) => sequence === lastSequenceByRun.r1) + 1
          expect(run.state()).toEqual(replayAgentEvents(all.slice(0, told)))
        }
        while (main.open() || answer.open()) await endOfTask()
        rest.open()
        await run.main.unwrap()
        await task.unwrap()
        if (!order.includes('abort')) expect(run.state()).toEqual(replayAgentEvents(all))
        expect(run.commands().map(({ status }) => status)).toEqual(['succeeded'])
      }),
      { numRuns: 120 },
    )
  })
})

/** A stream of pieces that follow each other from a place on, each going back a little, as servers' replays do. */
function createPieces(all: readonly AgentEvent[], start: number, pieces: readonly (readonly [number, number])[]) {
  let next = start
  const gates = pieces.map(() => createGate())
  const steps = pieces.flatMap(([back, length], index): ScriptedStep[] => {
    const from = Math.max(start, next - back)
    next = Math.max(next, Math.min(all.length, from + length))
    return [{ gate: gates[index]! }, { events: all.slice(from, from + length) }]
  })
  /** Lets the next piece come; says whether there was one. */
  function open(): boolean {
    const gate = gates.shift()
    gate?.open()
    return gate !== undefined
  }
  return { steps, open }
}

describe('a command’s answer of any provider', () => {
  it('that holds what the main stream brought as well is applied once', async () => {
    const { before, meanwhile, decided, after, all } = createDecidedRun()
    const [main, answer] = [createGate(), createGate()]
    const provider = createScriptedProvider({
      steps: [{ events: before }, { gate: main }, { events: [...meanwhile, ...decided, ...after] }],
      commands: { 'approval.resolve': [{ gate: answer }, { events: decided }] },
    })
    const harness = createHarness({ providers: [provider], ids: ['r1', 'c1'] })
    const { store, agent } = harness
    const running = store.dispatch(agent.actions.startRun({ sessionId: 's1', provider: 'scripted', input: null }))
    await endOfTask()
    const task = store.dispatch(agent.actions.resolveApproval({ runId: 'r1', approvalId: 'a', decision: 'approved' }))
    main.open()
    await endOfTask()
    answer.open()
    await task.unwrap()
    await running.unwrap()
    expect(harness.state()).toEqual(replayAgentEvents(all))
    expect(harness.commands()).toMatchObject([{ status: 'succeeded' }])
  })

  it('that comes first is applied once, and the main stream’s copies are absorbed', async () => {
    const { before, decided } = createDecidedRun()
    const main = createGate()
    const run = createRun('r1')
    const steps = [
      { events: before },
      { gate: main },
      { events: [...decided, run.create('run.completed', {}, { sequence: 50 })] },
    ]
    const provider = createScriptedProvider({ steps, commands: { 'approval.resolve': [{ events: decided }] } })
    const harness = createHarness({ providers: [provider], ids: ['r1', 'c1'] })
    const { store, agent } = harness
    const running = store.dispatch(agent.actions.startRun({ sessionId: 's1', provider: 'scripted', input: null }))
    await endOfTask()
    await store.dispatch(agent.actions.resolveApproval({ runId: 'r1', approvalId: 'a', decision: 'approved' })).unwrap()
    expect(harness.state()).toEqual(replayAgentEvents([...before, ...decided]))
    main.open()
    await running.unwrap()
    expect(harness.state().issues).toEqual([])
    expect(harness.state().runs.r1?.status).toBe('completed')
  })

  it('at or below what was there when it was made is a breach of the protocol', async () => {
    const { before } = createDecidedRun()
    const provider = createScriptedProvider({
      steps: [{ events: before }],
      commands: { 'approval.resolve': [{ events: before.slice(3) }] },
    })
    const harness = createHarness({ providers: [provider], ids: ['r1', 'c1'] })
    const { store, agent } = harness
    await store.dispatch(agent.actions.startRun({ sessionId: 's1', provider: 'scripted', input: null }))
    const task = store.dispatch(agent.actions.resolveApproval({ runId: 'r1', approvalId: 'a', decision: 'approved' }))
    await expect(task.unwrap()).rejects.toMatchObject({ code: 'protocol_error' })
    expect(harness.state()).toEqual(replayAgentEvents(before))
  })
})
