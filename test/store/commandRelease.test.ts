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
})
