import type { Store, UnknownAction } from '@reduxjs/toolkit'
import { replayAgentEvents, type AgentEvent } from 'redux-agent'
import { createGate, createScriptedProvider } from 'redux-agent/testing'
import { ActionCreators, instrument, type LiftedState } from '@redux-devtools/instrument'
import { describe, expect, it } from 'vitest'
import { appTouched, createHarness, endOfTask, expectSilentConsole } from './createHarness.ts'
import { createOpening, grant } from './createCommandRun.ts'
import { createRun } from './createRunEvents.ts'

expectSilentConsole()

/** A run behind gates in a store with DevTools; each of `parts` comes when the test lets it. */
async function createTravelled(
  parts: (run: ReturnType<typeof createRun>) => readonly (readonly AgentEvent[])[] = () => [],
) {
  const run = createRun('r1')
  const chunks = [createOpening(run), ...parts(run)]
  const gates = chunks.map(() => createGate())
  const answer = createGate()
  const provider = createScriptedProvider({
    capabilities: { sequence: 'dense' },
    steps: chunks.flatMap((events, index) => [{ gate: gates[index]! }, { events }]),
    commands: { 'approval.resolve': [{ gate: answer }], 'tool.retry': [], 'run.cancel': [] },
  })
  const harness = createHarness({
    providers: [provider],
    ids: ['r1', 'c1', 'c2', 'c3'],
    enhancer: instrument() as never,
  })
  const { store, agent } = harness
  const lifted = (store as unknown as { liftedStore: Store<LiftedState<unknown, UnknownAction, null>> }).liftedStore
  const main = store.dispatch(agent.actions.startRun({ sessionId: 's1', provider: 'scripted', input: null }))
  const deliver = async (index: number) => {
    gates[index]!.open()
    await endOfTask()
  }
  await deliver(0)
  return {
    ...harness,
    provider,
    main,
    answer,
    deliver,
    devTools: (action: unknown) => void lifted.dispatch(action as never),
    lifted: () => lifted.getState(),
    idOf(type: string) {
      const { actionsById } = lifted.getState()
      return Number(Object.keys(actionsById).findLast((id) => actionsById[Number(id)]!.action.type === type))
    },
    approve: () =>
      store.dispatch(agent.actions.resolveApproval({ runId: 'r1', approvalId: 'a', decision: 'approved' })),
    present: () => replayAgentEvents(chunks.flat()),
    presentUpTo: (count: number) => replayAgentEvents(chunks.slice(0, count).flat()),
  }
}

const twoDeltas = (run: ReturnType<typeof createRun>) => [
  [run.create('task.created', { taskId: 'one', title: 'One' })],
  [run.create('task.created', { taskId: 'two', title: 'Two' })],
  [run.create('run.completed', {})],
]

describe('while DevTools shows a past state', () => {
  it('the stream goes on, and is there whole when the person returns', async () => {
    const travel = await createTravelled(twoDeltas)
    travel.devTools(ActionCreators.jumpToState(1))
    await travel.deliver(1)
    await travel.deliver(2)
    expect(travel.state().runs).toEqual({})
    const { stagedActionIds } = travel.lifted()
    travel.devTools(ActionCreators.jumpToState(stagedActionIds.length - 1))
    expect(travel.state()).toEqual(travel.presentUpTo(3))
    await travel.deliver(3)
    await travel.main.unwrap()
    expect(travel.state()).toEqual(travel.present())
    expect(travel.connection('r1')?.state).toBe('idle')
    expect(travel.provider.calls.opens).toHaveLength(1)
  })

  it('nothing is sent: commands and runs are refused, without a trace', async () => {
    const travel = await createTravelled(twoDeltas)
    const { agent, store } = travel
    travel.devTools(ActionCreators.jumpToState(1))
    const attempts = [
      travel.approve(),
      store.dispatch(agent.actions.retryTool({ runId: 'r1', toolCallId: 'failed' })),
      store.dispatch(agent.actions.cancelRun({ runId: 'r1' })),
      store.dispatch(agent.actions.startRun({ sessionId: 's1', provider: 'scripted', input: null })),
      store.dispatch(agent.actions.resumeRun({ runId: 'r1' })),
    ]
    for (const task of attempts) await expect(task.unwrap()).rejects.toMatchObject({ code: 'time_travel' })
    expect(travel.provider.calls.commands).toEqual([])
    expect(travel.provider.calls.opens).toHaveLength(1)
    travel.devTools(ActionCreators.jumpToState(travel.lifted().stagedActionIds.length - 1))
    expect(travel.commands()).toEqual([])
    expect(travel.state()).toEqual(travel.presentUpTo(1))
    travel.answer.open()
    await travel.approve().unwrap()
    expect(travel.commands()).toMatchObject([{ status: 'succeeded' }])
  })

  it('a command under way ends in the present, once', async () => {
    const travel = await createTravelled(twoDeltas)
    const task = travel.approve()
    await travel.answer.reached
    travel.devTools(ActionCreators.jumpToState(1))
    travel.answer.open()
    await task.unwrap()
    expect(travel.commands()).toEqual([])
    travel.devTools(ActionCreators.jumpToState(travel.lifted().stagedActionIds.length - 1))
    expect(travel.commands()).toMatchObject([{ status: 'succeeded' }])
    expect(travel.provider.calls.commands).toHaveLength(1)
  })

  it('a jump over the click does not let it be made twice', async () => {
    const travel = await createTravelled()
    const task = travel.approve()
    await travel.answer.reached
    travel.devTools(ActionCreators.jumpToAction(travel.idOf('agent/eventsReceived')))
    expect(travel.commands()).toEqual([])
    await expect(travel.approve().unwrap()).rejects.toMatchObject({ code: 'time_travel' })
    travel.answer.open()
    await task.unwrap()
    expect(travel.provider.calls.commands).toHaveLength(1)
  })

  it('abort still closes the wire, and the present says so', async () => {
    const travel = await createTravelled(twoDeltas)
    travel.devTools(ActionCreators.jumpToState(1))
    travel.store.dispatch(travel.agent.actions.abortRun({ sessionId: 's1' }))
    await travel.main
    expect(travel.provider.calls.opens[0]!.signal.aborted).toBe(true)
    travel.devTools(ActionCreators.jumpToState(travel.lifted().stagedActionIds.length - 1))
    expect(travel.connection('r1')).toMatchObject({ state: 'idle', detached: true })
  })
})

describe('while DevTools holds changes back', () => {
  it('nothing is lost once it lets them through: the next event puts it right', async () => {
    const travel = await createTravelled(twoDeltas)
    travel.devTools(ActionCreators.lockChanges(true))
    await travel.deliver(1)
    expect(travel.state()).toEqual(travel.presentUpTo(1))
    travel.devTools(ActionCreators.lockChanges(false))
    expect(travel.state()).toEqual(travel.presentUpTo(1))
    await travel.deliver(2)
    expect(travel.state()).toEqual(travel.presentUpTo(3))
    await travel.deliver(3)
    await travel.main
    expect(travel.state()).toEqual(travel.present())
    expect(travel.connection('r1')?.state).toBe('idle')
  })

  it('what ended meanwhile is put right by the next wish of the person', async () => {
    const travel = await createTravelled((run) => [[run.create('approval.requested', { approvalId: 'late' })]])
    const task = travel.approve()
    await travel.answer.reached
    travel.devTools(ActionCreators.lockChanges(true))
    await travel.deliver(1)
    travel.answer.open()
    await task.unwrap()
    await travel.main
    expect(travel.commands()).toMatchObject([{ status: 'submitting' }])
    expect(travel.connection('r1')?.state).toBe('connected')
    const whileLocked = travel.store.dispatch(travel.agent.actions.retryTool({ runId: 'r1', toolCallId: 'failed' }))
    await expect(whileLocked.unwrap()).rejects.toMatchObject({ code: 'time_travel' })
    travel.devTools(ActionCreators.lockChanges(false))
    await travel.store.dispatch(travel.agent.actions.retryTool({ runId: 'r1', toolCallId: 'failed' })).unwrap()
    expect(travel.commands().map(({ status }) => status)).toEqual(['succeeded', 'succeeded'])
    expect(travel.connection('r1')?.state).toBe('idle')
    expect(travel.state()).toEqual(travel.present())
    expect(travel.provider.calls.commands).toHaveLength(2)
  })

  it('a run that is started all the same is there afterwards', async () => {
    const travel = await createTravelled()
    await travel.main
    travel.devTools(ActionCreators.lockChanges(true))
    const provider = createScriptedProvider({ id: 'other', steps: [] })
    const { startRun } = travel.agent.actions
    const { runId } = travel.store.dispatch(startRun({ sessionId: 's2', provider, input: null }))
    await endOfTask()
    expect(travel.connection(runId)).toBeUndefined()
    travel.devTools(ActionCreators.lockChanges(false))
    await travel.store.dispatch(startRun({ sessionId: 's1', provider, input: null }))
    expect(travel.connection(runId)).toMatchObject({ sessionId: 's2', state: 'unrecoverable' })
    expect(provider.calls.opens).toHaveLength(2)
  })
})

describe('where DevTools rewrites history', () => {
  it('an action that is toggled away comes back with the next event', async () => {
    const travel = await createTravelled(twoDeltas)
    await travel.deliver(1)
    travel.devTools(ActionCreators.toggleAction(travel.idOf('agent/eventsReceived')))
    expect(travel.state()).toEqual(travel.presentUpTo(1))
    await travel.deliver(2)
    expect(travel.state()).toEqual(travel.presentUpTo(3))
    travel.devTools(ActionCreators.toggleAction(travel.idOf('agent/eventsReceived')))
    await travel.deliver(3)
    await travel.main
    expect(travel.state()).toEqual(travel.present())
    expect(travel.provider.calls.opens).toHaveLength(1)
  })

  it('actions in another order leave the truth as it is', async () => {
    const travel = await createTravelled(twoDeltas)
    await travel.deliver(1)
    const { stagedActionIds } = travel.lifted()
    travel.devTools(ActionCreators.reorderAction(stagedActionIds.at(-1)!, stagedActionIds[2]!))
    await travel.deliver(2)
    expect(travel.state()).toEqual(travel.presentUpTo(3))
    await travel.deliver(3)
    await travel.main
  })

  it.each([
    ['toggled away', (id: number) => [ActionCreators.toggleAction(id)]],
    ['toggled away and back', (id: number) => [ActionCreators.toggleAction(id), ActionCreators.toggleAction(id)]],
    ['put before the run', (id: number) => [ActionCreators.reorderAction(id, 1)]],
  ])('a command under way whose action is %s is sent once, and ends in the present', async (_, rewrite) => {
    const travel = await createTravelled(twoDeltas)
    const task = travel.approve()
    await travel.answer.reached
    for (const action of rewrite(travel.idOf('agent/commandSubmitted'))) travel.devTools(action)
    await expect(travel.approve().unwrap()).rejects.toMatchObject({
      code: expect.stringMatching(/^(time_travel|already_submitted)$/),
    })
    travel.answer.open()
    await task.unwrap()
    for (const part of [1, 2, 3]) await travel.deliver(part)
    await travel.main
    expect(travel.commands()).toMatchObject([{ status: 'succeeded' }])
    expect(travel.state()).toEqual(travel.present())
    expect(travel.provider.calls.commands).toHaveLength(1)
    expect(travel.provider.calls.opens).toHaveLength(1)
  })

  it('an imported history is overtaken by the truth, and starts nothing', async () => {
    const travel = await createTravelled(twoDeltas)
    const early = travel.lifted()
    const task = travel.approve()
    await travel.answer.reached
    await travel.deliver(1)
    travel.devTools(ActionCreators.importState(early as never))
    expect(travel.state()).toEqual(travel.presentUpTo(1))
    expect(travel.commands()).toEqual([])
    await travel.deliver(2)
    expect(travel.state()).toEqual(travel.presentUpTo(3))
    expect(travel.commands()).toMatchObject([{ status: 'submitting' }])
    travel.answer.open()
    await task.unwrap()
    await travel.deliver(3)
    await travel.main
    expect(travel.state()).toEqual(travel.present())
    expect(travel.commands()).toMatchObject([{ status: 'succeeded' }])
    expect(travel.provider.calls.commands).toHaveLength(1)
    expect(travel.provider.calls.opens).toHaveLength(1)
  })

  it('a history that is thrown away leaves the state, and a reset is overtaken', async () => {
    const travel = await createTravelled(twoDeltas)
    travel.devTools(ActionCreators.commit())
    await travel.deliver(1)
    expect(travel.state()).toEqual(travel.presentUpTo(2))
    travel.devTools(ActionCreators.rollback())
    expect(travel.state()).toEqual(travel.presentUpTo(1))
    await travel.deliver(2)
    expect(travel.state()).toEqual(travel.presentUpTo(3))
    travel.devTools(ActionCreators.reset())
    await travel.deliver(3)
    await travel.main
    expect(travel.state()).toEqual(travel.present())
    expect(travel.store.getState().touches).toBe(0)
    travel.store.dispatch(appTouched())
  })

  it('a dispatched copy of an old action is overtaken too', async () => {
    const travel = await createTravelled(twoDeltas)
    const [first] = travel.batches()
    travel.store.dispatch(first!)
    travel.store.dispatch(travel.agent.events.connectionChanged({ runId: 'r1', at: 1, state: 'failed' }))
    await travel.deliver(1)
    expect(travel.state()).toEqual(travel.presentUpTo(2))
    expect(travel.connection('r1')?.state).toBe('connected')
    await travel.deliver(2)
    await travel.deliver(3)
    await travel.main
    expect(travel.state()).toEqual(travel.present())
  })
})

describe('an app that dispatches while it is told', () => {
  it('loses nothing and gets each number once', async () => {
    const run = createRun('r1')
    const gate = createGate()
    const events = createOpening(run)
    const provider = createScriptedProvider({
      steps: [{ events }, { gate }, { events: [grant(run), run.create('run.completed', {})] }],
      commands: { 'approval.resolve': [], 'run.cancel': [] },
      capabilities: { sequence: 'dense' },
    })
    const harness = createHarness({ providers: [provider], ids: ['r1', 'c1', 'c2', 'r2', 'r3'] })
    const { store, agent } = harness
    const seen = new Set<string>()
    store.subscribe(() => {
      const { runs, approvals } = harness.state()
      if (approvals['2:r1:a'] && !seen.has('approval')) {
        seen.add('approval')
        void store.dispatch(agent.actions.resolveApproval({ runId: 'r1', approvalId: 'a', decision: 'approved' }))
      }
      if (runs.r1?.status === 'completed' && !seen.has('end')) {
        seen.add('end')
        void store.dispatch(
          agent.actions.startRun({
            sessionId: 's2',
            provider: createScriptedProvider({ id: 'next', steps: [] }),
            input: null,
          }),
        )
      }
    })
    const main = store.dispatch(agent.actions.startRun({ sessionId: 's1', provider: 'scripted', input: null }))
    await gate.reached
    store.dispatch(appTouched())
    await endOfTask()
    gate.open()
    await main.unwrap()
    store.dispatch(appTouched())
    await endOfTask()
    expect([...seen]).toEqual(['approval', 'end'])
    expect(harness.state().runs.r1?.status).toBe('completed')
    expect(harness.commands()).toMatchObject([{ status: 'succeeded' }])
    expect(harness.passed.filter(agent.events.sessionRestored.match)).toEqual([])
    const numbers = harness.passed.flatMap(({ meta }) => (meta as { batch?: number } | undefined)?.batch ?? [])
    expect(numbers).toEqual(numbers.map((_, index) => index + 1))
  })
})
