import { replayAgentEvents, type AgentEvent } from 'redux-agent'
import { createGate, createScriptedProvider } from 'redux-agent/testing'
import { describe, expect, it } from 'vitest'
import { expectSilentConsole } from './createHarness.ts'
import { createResumableRun, lost, refused } from './createResumableRun.ts'
import { createRun, createShortRun } from './createRunEvents.ts'

expectSilentConsole()

const events = createShortRun('r1')

describe('a run that waits for a person', () => {
  const run = createRun('r1')
  const waiting = [run.create('run.started', {}), run.create('approval.requested', { approvalId: 'a' })]
  const granted = run.create('approval.resolved', { approvalId: 'a', decision: 'approved' })
  const rest = [run.create('task.created', { taskId: 'one', title: 'One' }), run.create('run.completed', {})]
  const chunksOf = (list: readonly AgentEvent[]) => list.map((event) => ({ events: [event] }))
  const all = [...waiting, granted, ...rest]

  function park(answer: readonly AgentEvent[] | Error = [granted]) {
    let isAnswered = false
    const harness = createResumableRun({
      steps: () => chunksOf(isAnswered ? all : waiting),
      commands: {
        'approval.resolve': () => {
          isAnswered = true
          return [answer instanceof Error ? { error: answer } : { events: answer }]
        },
      },
    })
    const { store, agent } = harness
    const approve = () =>
      store.dispatch(agent.actions.resolveApproval({ runId: 'r1', approvalId: 'a', decision: 'approved' }))
    return { ...harness, approve }
  }

  it('is idle, and nothing reconnects', async () => {
    const { start, connection, delays, sleepers, opened } = park()
    await start().unwrap()
    expect(connection('r1')).toMatchObject({ state: 'idle', detached: false })
    expect(delays()).toEqual([])
    expect(sleepers()).toBe(0)
    expect(opened()).toEqual(['open'])
  })

  it.each([
    ['once the answer is given', [granted]],
    ['where the answer’s event does not come with it', []],
    ['where it is not known what became of the answer', lost()],
  ])('is followed again from its cursor, %s', async (_, answer) => {
    const { start, approve, connection, opened, state, errors, rest: settle } = park(answer)
    await start().unwrap()
    await approve()
    await settle()
    expect(opened()).toEqual(['open', '1'])
    expect(errors()).toEqual([])
    expect(state()).toEqual(replayAgentEvents(all))
    expect(connection('r1')).toMatchObject({ state: 'idle' })
  })

  it('is followed again where the answer was given just as the stream parked, without its event', async () => {
    const gate = createGate()
    let isAnswered = false
    const harness = createResumableRun({
      steps: () => (isAnswered ? chunksOf(all) : [...chunksOf(waiting), { gate }]),
      commands: { 'approval.resolve': [] },
    })
    const { start, store, agent, opened, state, rest: settle } = harness
    const task = start()
    await settle()
    const { resolveApproval } = agent.actions
    await store.dispatch(resolveApproval({ runId: 'r1', approvalId: 'a', decision: 'approved' })).unwrap()
    isAnswered = true
    gate.open()
    await task.unwrap()
    expect(opened()).toEqual(['open', '1'])
    expect(state()).toEqual(replayAgentEvents(all))
  })

  it('is not followed once it was let go of', async () => {
    const { start, approve, store, agent, opened, rest: settle } = park()
    await start().unwrap()
    store.dispatch(agent.actions.abortRun({ runId: 'r1' }))
    await approve()
    await settle()
    expect(opened()).toEqual(['open'])
  })

  it('but whose wire breaks is lost as any other', async () => {
    const { start, retryAfter, opened, connection } = createResumableRun({
      events: waiting,
      plan: ({ index }) => (index === 0 ? { cutAfterChunks: 2 } : {}),
    })
    const task = start()
    await retryAfter(500)
    await task.unwrap()
    expect(opened()).toEqual(['open', '1'])
    expect(connection('r1')).toMatchObject({ state: 'idle' })
  })
})

describe('a command that is answered while the wire is lost', () => {
  it('is a sign of life: the next attempt is made at once', async () => {
    const run = createRun('r1')
    const opening = [run.create('run.started', {}), run.create('approval.requested', { approvalId: 'a' })]
    const granted = run.create('approval.resolved', { approvalId: 'a', decision: 'approved' })
    const end = run.create('run.completed', {})
    const harness = createResumableRun({
      events: [...opening, granted, end],
      plan: ({ index }) => (index === 0 ? { cutAfterChunks: 2 } : {}),
      commands: { 'approval.resolve': [{ events: [granted] }] },
    })
    const { start, rest, store, agent, state, opened } = harness
    const task = start()
    await rest()
    await store
      .dispatch(agent.actions.resolveApproval({ runId: 'r1', approvalId: 'a', decision: 'approved' }))
      .unwrap()
    await task.unwrap()
    expect(opened()).toEqual(['open', '1'])
    expect(state()).toEqual(replayAgentEvents([...opening, granted, end]))
  })

  it('may end the run: nothing is tried any more', async () => {
    const run = createRun('r1')
    const opening = [run.create('run.started', {})]
    const cancelled = run.create('run.cancelled', {})
    const { start, rest, store, agent, state, opened, connection, delays } = createResumableRun({
      events: opening,
      plan: () => ({ cutAfterChunks: 1 }),
      commands: { 'run.cancel': [{ events: [cancelled] }] },
    })
    const task = start()
    await rest()
    await store.dispatch(agent.actions.cancelRun({ runId: 'r1' })).unwrap()
    await task.unwrap()
    expect(opened()).toEqual(['open'])
    expect(state()).toEqual(replayAgentEvents([...opening, cancelled]))
    expect(connection('r1')).toMatchObject({ state: 'idle', detached: false })
    expect(delays()).toEqual([])
  })
})

describe('resumeRun', () => {
  it('takes up one wire at a time: the one before it says nothing any more', async () => {
    const gate = createGate()
    const { start, resume, rest, store, agent, opened, state, provider, connection } = createResumableRun({
      steps: [...events.slice(0, 2).map((event) => ({ events: [event] })), { gate }, { events: events.slice(2) }],
    })
    const task = start()
    await rest()
    expect(resume().runId).toBe('r1')
    expect(opened()).toEqual(['open'])
    store.dispatch(agent.actions.abortRun({ runId: 'r1' }))
    const again = resume()
    expect(provider.calls.opens[0]!.signal.aborted).toBe(true)
    await task.unwrap()
    expect(connection('r1')?.state).toBe('reconnecting')
    gate.open()
    await again.unwrap()
    expect(opened()).toEqual(['open', '1'])
    expect(state()).toEqual(replayAgentEvents(events))
  })

  it('is refused where there is no such run, or it has ended', async () => {
    const { start, store, agent } = createResumableRun({ events })
    await start().unwrap()
    const resume = (runId: string) => store.dispatch(agent.actions.resumeRun({ runId })).unwrap()
    await expect(resume('r1')).rejects.toMatchObject({ code: 'run_ended' })
    for (const runId of ['r2', 'constructor', '__proto__']) {
      await expect(resume(runId)).rejects.toMatchObject({ code: 'missing_run' })
    }
  })

  it('is refused where the provider cannot, or nothing says where to go on', async () => {
    const cut = { events, plan: () => ({ cutAfterChunks: 2 }) }
    const unable = createResumableRun({ ...cut, capabilities: { resumable: false } })
    await unable.start().unwrap()
    expect(unable.connection('r1')).toMatchObject({ state: 'unrecoverable', canResume: false })
    await expect(unable.resume().unwrap()).rejects.toMatchObject({ code: 'not_resumable' })
    const pointless = createResumableRun({ ...cut, harness: { reconnect: false } })
    pointless.provider.transport.getCursor = () => undefined
    await pointless.start().unwrap()
    await expect(pointless.resume().unwrap()).rejects.toMatchObject({ code: 'not_resumable' })
  })

  it('is refused where the run’s input is not known here', async () => {
    const { store, agent } = createResumableRun({ events })
    const connection = {
      runId: 'r9',
      sessionId: 's1',
      providerId: 'scripted',
      state: 'unrecoverable',
      detached: false,
      cursor: '3',
      updatedAt: 1,
    } as const
    store.dispatch(agent.events.runRestored({ connection, isLatest: true }))
    const task = store.dispatch(agent.actions.resumeRun({ runId: 'r9' }))
    expect(task.runId).toBe('r9')
    await expect(task.unwrap()).rejects.toMatchObject({ code: 'not_resumable' })
  })

  it('by an action that nobody asked for sends nothing', async () => {
    const { start, store, agent, opened, rest, connection } = createResumableRun({
      events,
      plan: () => ({ cutAfterChunks: 2, error: refused(500) }),
    })
    await start().unwrap()
    store.dispatch(agent.events.runResumed({ runId: 'r1', at: 1 }))
    store.dispatch(agent.events.runResumed({ runId: 'constructor', at: 1 }))
    await rest()
    expect(opened()).toEqual(['open'])
    expect(connection('r1')).toMatchObject({ runId: 'r1' })
  })

  it('is given a provider object anew by its id', async () => {
    const { start, store, agent, resume, state, opened, rest } = createResumableRun({
      events,
      plan: () => ({ cutAfterChunks: 2, error: refused(500) }),
    })
    await start().unwrap()
    // Another object of the same id does not take a run over from the one that started it.
    const other = createScriptedProvider({ id: 'scripted', steps: [] })
    await store.dispatch(agent.actions.startRun({ sessionId: 's2', provider: other, input: null }))
    await resume()
    await rest()
    expect(opened()).toEqual(['open', '1'])
    expect(state().runs.r1).toBeDefined()
  })
})
