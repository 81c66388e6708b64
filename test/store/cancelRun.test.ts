import { replayAgentEvents } from 'redux-agent'
import { createGate } from 'redux-agent/testing'
import { describe, expect, it } from 'vitest'
import { createCommandRun } from './createCommandRun.ts'
import { endOfTask, expectSilentConsole } from './createHarness.ts'
import { createRun } from './createRunEvents.ts'

expectSilentConsole()

const failure = () => new Error('It is down.')

describe('cancelRun', () => {
  const cancelled = {
    events: (events: ReturnType<typeof createRun>) => [events.create('run.cancelled', { reason: 'enough' })],
  }

  it('waits for the word of the runtime, then closes the main wire', async () => {
    const run = await createCommandRun({ answers: { 'run.cancel': [cancelled] } })
    const { signal } = run.provider.calls.opens[0]!
    await run.cancel().unwrap()
    expect(run.state().runs.r1).toMatchObject({ status: 'cancelled', reason: 'enough' })
    expect(signal.aborted).toBe(true)
    expect(run.connection('r1')).toMatchObject({ state: 'idle', detached: false })
    await run.main.unwrap()
    expect(run.connections()).toEqual(['connected', 'idle'])
    expect(run.statusOf('run.cancel')).toMatchObject({
      status: 'succeeded',
      command: { payload: { reason: 'enough' } },
    })
    expect(run.delays()).toEqual([])
  })

  it('takes the word of the main stream as well, while its own answer hangs or is over', async () => {
    for (const answer of [[], [{ gate: createGate() }]]) {
      const main = createGate()
      const run = await createCommandRun({
        answers: { 'run.cancel': answer },
        rest: [{ gate: main }, { events: (events) => [events.create('run.cancelled', {}, { sequence: 90 })] }],
      })
      const task = run.cancel()
      await endOfTask()
      expect(run.statusOf('run.cancel')?.status).toBe('submitting')
      main.open()
      await task.unwrap()
      expect(run.statusOf('run.cancel')?.status).toBe('succeeded')
      await run.main
      expect(run.delays()).toEqual([])
    }
  })

  it('does not take an end that was refused for the word of the runtime', async () => {
    // The answer's event overtakes the main stream's, which the reducer then refuses: its sequence is below the last.
    const main = createGate()
    const ahead = {
      events: (events: ReturnType<typeof createRun>) => [
        events.create('task.created', { taskId: 't', title: 'x' }, { sequence: 99 }),
      ],
    }
    const run = await createCommandRun({
      answers: { 'run.cancel': [ahead] },
      rest: [{ gate: main }, { events: (events) => [events.create('run.cancelled', {}, { sequence: 90 })] }],
    })
    const task = run.cancel()
    await endOfTask()
    main.open()
    await endOfTask()
    expect(run.state().issues).toMatchObject([{ code: 'invalid_sequence' }])
    expect(run.statusOf('run.cancel')?.status).toBe('submitting')
    run.fireTimers(10_000)
    await expect(task.unwrap()).rejects.toMatchObject({ code: 'command_timeout' })
  })

  it('has failed without that word in time; the run stays as it is, and abort still closes the wire', async () => {
    const run = await createCommandRun({ answers: { 'run.cancel': [] } })
    const task = run.cancel()
    await endOfTask()
    run.fireTimers(10_000)
    await expect(task.unwrap()).rejects.toMatchObject({ code: 'command_timeout' })
    expect(run.statusOf('run.cancel')).toMatchObject({
      status: 'failed',
      error: { code: 'provider_error', retryable: true },
    })
    expect(run.state()).toEqual(replayAgentEvents(run.opening))
    expect(run.connection('r1')?.state).toBe('connected')
    run.store.dispatch(run.agent.actions.abortRun({ runId: 'r1' }))
    expect(run.provider.calls.opens[0]!.signal.aborted).toBe(true)
    await run.main
  })

  it('goes past the queue, and what had not been sent is interrupted at once', async () => {
    const [hung, cancel] = [createGate(), createGate()]
    const run = await createCommandRun({
      answers: { 'approval.resolve': [{ gate: hung }], 'tool.retry': [], 'run.cancel': [{ gate: cancel }, cancelled] },
    })
    const [hanging, waiting] = [run.approve(), run.retry()]
    await hung.reached
    const task = run.cancel()
    await expect(waiting.unwrap()).rejects.toMatchObject({ code: 'interrupted' })
    expect(run.statusOf('tool.retry', 'failed')).toMatchObject({ status: 'failed', error: { code: 'interrupted' } })
    expect(run.statusOf('approval.resolve', 'a')?.status).toBe('submitting')
    cancel.open()
    await task.unwrap()
    run.fireTimers(10_000)
    await hanging
    await endOfTask()
    expect(run.provider.calls.commands.map(({ type }) => type)).toEqual(['approval.resolve', 'run.cancel'])
    expect(run.commands().some(({ status }) => status === 'submitting')).toBe(false)
  })

  it('that comes before the first command was sent, however soon after it, is sent alone', async () => {
    for (let steps = 0; steps < 4; steps += 1) {
      const run = await createCommandRun({ answers: { 'approval.resolve': [], 'run.cancel': [{ gate: createGate() }] } })
      void run.approve()
      for (let step = 0; step < steps; step += 1) await Promise.resolve()
      void run.cancel()
      await endOfTask()
      // What had been sent was sent first; what had not is not sent any more.
      const types = run.provider.calls.commands.map(({ type }) => type)
      expect(types.at(-1)).toBe('run.cancel')
      const [approval] = run.commands()
      expect(approval!.status === 'succeeded').toBe(types.includes('approval.resolve'))
      if (approval!.status !== 'succeeded') expect(approval!.error).toMatchObject({ code: 'interrupted' })
    }
  })

  it('that failed sends nothing of what it interrupted, and later commands wait for the one that hangs', async () => {
    const hung = createGate()
    const run = await createCommandRun({
      answers: { 'approval.resolve': [{ gate: hung }], 'tool.retry': [], 'run.cancel': [{ error: failure() }] },
    })
    const [hanging, waiting] = [run.approve(), run.retry()]
    await hung.reached
    await expect(run.cancel().unwrap()).rejects.toThrow('It is down.')
    await expect(waiting.unwrap()).rejects.toMatchObject({ code: 'interrupted' })
    const again = run.retry()
    await endOfTask()
    expect(run.provider.calls.commands.map(({ type }) => type)).toEqual(['approval.resolve', 'run.cancel'])
    hung.open()
    await hanging.unwrap()
    await again.unwrap()
    expect(run.provider.calls.commands.map(({ type }) => type)).toEqual([
      'approval.resolve',
      'run.cancel',
      'tool.retry',
    ])
  })

  it('reaches a run that was let go of on this page', async () => {
    const run = await createCommandRun({ answers: { 'run.cancel': [cancelled] } })
    run.store.dispatch(run.agent.actions.abortRun({ sessionId: 's1' }))
    await run.main
    await run.cancel().unwrap()
    expect(run.state().runs.r1?.status).toBe('cancelled')
    expect(run.connection('r1')).toMatchObject({ state: 'idle', detached: false })
  })
})
