import type { AgentEventFactory } from 'redux-agent'
import { createGate } from 'redux-agent/testing'
import { describe, expect, it } from 'vitest'
import { createCommandRun, grant } from './createCommandRun.ts'
import { endOfTask, expectSilentConsole } from './createHarness.ts'

expectSilentConsole()

describe('a command', () => {
  it('is done once its fact is there and its answer has said nothing more for a while, and blocks no other', async () => {
    const gate = createGate()
    const run = await createCommandRun({
      answers: { 'approval.resolve': [{ events: (events) => [grant(events)] }, { gate }], 'tool.retry': [] },
    })
    const task = run.approve()
    await gate.reached
    run.fireTimers(10_000)
    await task.unwrap()
    expect(run.statusOf('approval.resolve', 'a')?.status).toBe('succeeded')
    await run.retry().unwrap()
    gate.open()
    await endOfTask()
    expect(run.state().issues).toEqual([])
  })

  it('is free again where a part of the app fails while it is told of it, and is then the same command', async () => {
    const run = await createCommandRun({ answers: { 'approval.resolve': [{ events: (events) => [grant(events)] }] } })
    let isBroken = true
    const unsubscribe = run.store.subscribe(() => {
      if (isBroken) throw new Error('The app fails.')
    })
    await expect(run.approve().unwrap()).rejects.toThrow('The app fails.')
    isBroken = false
    unsubscribe()
    expect(run.statusOf('approval.resolve', 'a')).toMatchObject({ status: 'failed', error: { code: 'interrupted' } })
    await run.approve().unwrap()
    expect(run.provider.calls.commands).toHaveLength(1)
    expect(run.statusOf('approval.resolve', 'a')?.status).toBe('succeeded')
  })

  it('has failed where its answer began with something else and says no more', async () => {
    const gate = createGate()
    const other = (events: AgentEventFactory) => events.create('message.started', { messageId: 'n', role: 'assistant' })
    const run = await createCommandRun({
      answers: { 'approval.resolve': [{ events: (events) => [other(events)] }, { gate }] },
    })
    const task = run.approve()
    await gate.reached
    run.fireTimers(10_000)
    await expect(task.unwrap()).rejects.toMatchObject({ code: 'command_timeout' })
    gate.open()
    await endOfTask()
    expect(run.statusOf('approval.resolve', 'a')?.status).toBe('failed')
  })

  it('that says ever more without its fact is done after a minute: it has been taken, and what it says is the run’s', async () => {
    const gates = [createGate(), createGate()]
    const say = (sequence: number) => ({
      events: (events: AgentEventFactory) => [
        events.create('task.created', { taskId: `t${sequence}`, title: 'More' }, { sequence }),
      ],
    })
    const run = await createCommandRun({
      answers: {
        'approval.resolve': [say(20), { gate: gates[0]! }, say(21), { gate: gates[1]! }, say(22)],
        'tool.retry': [],
      },
    })
    const task = run.approve()
    await gates[0]!.reached
    gates[0]!.open()
    await gates[1]!.reached
    // Each event gives it the usual time again, but not for ever.
    expect(run.delays()).toEqual([60_000, 10_000])
    run.fireTimers(60_000)
    await task.unwrap()
    expect(run.statusOf('approval.resolve', 'a')?.status).toBe('succeeded')
    expect(run.delays()).toEqual([])
    await run.retry().unwrap()
    gates[1]!.open()
    await endOfTask()
    expect(run.state().lastSequenceByRun.r1).toBe(22)
    expect(run.state().issues).toEqual([])
  })

  it('that goes on once its fact is there is done in time, however much more it says', async () => {
    const gates = [createGate(), createGate()]
    const say = (sequence: number) => ({
      events: (events: AgentEventFactory) => [
        events.create('task.created', { taskId: `t${sequence}`, title: 'More' }, { sequence }),
      ],
    })
    const run = await createCommandRun({
      answers: {
        'approval.resolve': [
          { events: (events) => [grant(events)] },
          { gate: gates[0]! },
          say(20),
          { gate: gates[1]! },
          say(21),
        ],
        'tool.retry': [],
      },
    })
    const task = run.approve()
    await gates[0]!.reached
    const timers = run.delays()
    gates[0]!.open()
    await gates[1]!.reached
    await endOfTask()
    // Those that ran when the fact came, not others for what came after it.
    expect(run.delays()).toEqual(timers)
    run.fireTimers(10_000)
    await task.unwrap()
    await run.retry().unwrap()
    gates[1]!.open()
    await endOfTask()
    expect(run.state().lastSequenceByRun.r1).toBe(21)
    expect(run.state().issues).toEqual([])
  })
})
