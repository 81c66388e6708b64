import {
  createAgentCommandFactory,
  getAgentCommandKey,
  type AgentCommand,
  type AgentCommandState,
} from 'redux-agent'
import { createGate, createScriptedProvider } from 'redux-agent/testing'
import { describe, expect, it } from 'vitest'
import { createCommandRun, createOpening, grant } from './createCommandRun.ts'
import { createHarness, endOfTask, expectSilentConsole } from './createHarness.ts'
import { createRun } from './createRunEvents.ts'

expectSilentConsole()

const { create } = createAgentCommandFactory({ sessionId: 's1', runId: 'r1', createCommandId: () => 'c1', now: () => 1 })
const command = create('run.cancel', {}) as AgentCommand
const report: AgentCommandState = {
  command,
  key: getAgentCommandKey(command),
  status: 'submitting',
  createdAt: 1,
  updatedAt: 1,
}

describe('what another tab says of a command', () => {
  const send = (payload: unknown) => {
    const harness = createHarness()
    harness.store.dispatch({ type: 'agent/commandReported', payload })
    return harness
  }

  it.each<[string, object | number]>([
    ['nothing', 5],
    ['no command', { ...report, command: {} }],
    ['another key', { ...report, key: 'other' }],
    ['no status', { ...report, status: 'odd' }],
    ['a failure without an error', { ...report, status: 'failed' }],
    ['an error without a failure', { ...report, error: { code: 'interrupted', message: 'No.', retryable: true } }],
    ['no time', { ...report, createdAt: Number.NaN }],
    ['a tab without a name', { ...report, tabId: '' }],
  ])('is not taken where it is %s', (_what, state) => {
    expect(send({ state, isLatest: true }).commands()).toEqual([])
  })

  it.each([
    [true, [report.key]],
    [false, []],
  ])('is taken, and is the action’s latest where it says so: %s', (isLatest, latest) => {
    const { commands, store } = send({ state: report, isLatest })
    expect(commands()).toEqual([report])
    expect(Object.values(store.getState().agent.commandStates.s1!.latestCommandByAction)).toEqual(latest)
  })
})

describe('a run that is let go of', () => {
  it('takes its commands along, and leaves those of others', async () => {
    const gate = createGate()
    const run = await createCommandRun({
      answers: { 'approval.resolve': [{ events: (events) => [grant(events)] }] },
      rest: [{ gate }, { events: (events) => [events.create('run.completed', {}, { sequence: 10 })] }],
      stays: false,
    })
    await run.approve().unwrap()
    gate.open()
    await run.main
    await endOfTask()
    expect(run.state().runs.r1!.status).toBe('completed')
    expect(run.commands()).toHaveLength(1)
    const other = createHarness()
    expect(other.store.dispatch(other.agent.actions.releaseRun({ runId: 'r1' }))).toBe(false)
    expect(run.store.dispatch(run.agent.actions.releaseRun({ runId: 'r1' }))).toBe(true)
    expect(run.commands()).toEqual([])
    expect(run.state().runs).toEqual({})
  })

  it('is let go of where the session has had no command', async () => {
    const gate = createGate()
    const run = await createCommandRun({
      answers: {},
      rest: [{ gate }, { events: (events) => [events.create('run.completed', {}, { sequence: 9 })] }],
      stays: false,
    })
    gate.open()
    await run.main
    await endOfTask()
    expect(run.store.dispatch(run.agent.actions.releaseRun({ runId: 'r1' }))).toBe(true)
    expect(run.state().runs).toEqual({})
  })
})

describe('a run that is only followed', () => {
  it('takes no command here', async () => {
    const events = createOpening(createRun('r1'))
    const scripted = createScriptedProvider({ steps: [], capabilities: { sequence: 'dense' }, commands: { 'run.cancel': [] } })
    async function* follow() {
      yield { events, cursor: '8' }
      await new Promise(() => undefined)
    }
    const provider = { ...scripted, transport: { ...scripted.transport, follow } }
    const { store, agent, state } = createHarness({ providers: [provider] })
    const stop = store.dispatch(agent.actions.followRun({ sessionId: 's1', runId: 'r1', provider: 'scripted' }))
    await endOfTask()
    expect(state().runs.r1!.status).toBe('running')
    const refused = store.dispatch(agent.actions.cancelRun({ runId: 'r1' })).unwrap()
    await expect(refused).rejects.toMatchObject({ code: 'unsupported_capability' })
    expect(provider.calls.commands).toEqual([])
    stop()
  })
})

describe('an answer that tells where the run stands before it brings anything', () => {
  it('moves the run’s cursor', async () => {
    const events = createOpening(createRun('r1'))
    const provider = {
      ...createScriptedProvider({ steps: [{ events }, { gate: createGate() }], commands: { 'run.cancel': [] } }),
      async *executeCommand(_: AgentCommand, { onCursor }: { onCursor?: (cursor: string) => void }) {
        onCursor?.('here')
        yield* []
      },
    }
    const { store, agent, connection } = createHarness({ providers: [provider as never], ids: ['r1'] })
    void store.dispatch(agent.actions.startRun({ sessionId: 's1', provider: 'scripted', input: 'go' }))
    await endOfTask()
    const cancelled = store.dispatch(agent.actions.cancelRun({ runId: 'r1' }))
    await endOfTask()
    expect(connection('r1')?.cursor).toBe('here')
    store.dispatch(agent.actions.abortCommands({ sessionId: 's1' }))
    await expect(cancelled.unwrap()).rejects.toMatchObject({ code: 'interrupted' })
  })
})
