import { act, renderHook } from '@testing-library/react'
import { AgentRuntimeError } from 'redux-agent'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createHarness } from './support/createHarness.tsx'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

async function setUp() {
  const harness = createHarness()
  const wire = await harness.start()
  wire.send('tool.requested', { toolCallId: 't', name: 'search' })
  wire.send('tool.requested', { toolCallId: 'other', name: 'read' })
  wire.send('approval.requested', { approvalId: 'p' })
  wire.send('message.started', { messageId: 'm', role: 'assistant' })
  await harness.settle()
  /** Renders a hook, and counts how often. */
  function use<Value>(hook: () => Value) {
    const renders = { count: 0 }
    const { result, rerender } = renderHook(
      () => {
        renders.count += 1
        return hook()
      },
      { wrapper: harness.wrapper },
    )
    return { value: () => result.current, renders, rerender }
  }
  return { ...harness, wire, use, runId: wire.runId }
}

describe('the fine-grained hooks', () => {
  it('render again for their own entity alone, and once a batch', async () => {
    const { agent, use, wire, runId, settle } = await setUp()
    const toolCall = use(() => agent.useToolCall({ runId, toolCallId: 't' }))
    const approval = use(() => agent.useApproval({ runId, approvalId: 'p' }))
    const run = use(() => agent.useAgentRun({ runId }))
    const connection = use(() => agent.useConnectionState({ sessionId: 's1' }))
    const runConnection = use(() => agent.useConnectionState({ runId }))
    const command = use(() => agent.useCommandState({ runId, type: 'approval.resolve', entityId: 'p' }))
    const all = [toolCall, approval, run, connection, runConnection, command]
    const counts = () => all.map(({ renders }) => renders.count)
    expect(counts()).toEqual([1, 1, 1, 1, 1, 1])

    for (let index = 0; index < 10; index += 1) {
      wire.send('message.delta', { messageId: 'm', delta: 'x' })
      wire.send('tool.arguments_delta', { toolCallId: 'other', delta: 'x' })
    }
    await settle()
    expect(counts()).toEqual([1, 1, 1, 1, 1, 1])

    for (let index = 0; index < 10; index += 1) wire.send('tool.arguments_delta', { toolCallId: 't', delta: 'x' })
    await settle()
    expect(counts()).toEqual([2, 1, 1, 1, 1, 1])
    expect(toolCall.value()?.arguments).toBe('xxxxxxxxxx')

    wire.send('approval.resolved', { approvalId: 'p', decision: 'approved' })
    await settle()
    expect(counts()).toEqual([2, 2, 1, 1, 1, 1])
    expect(approval.value()?.decision).toBe('approved')

    wire.send('run.completed', {})
    wire.end()
    await settle()
    expect(run.value()?.status).toBe('completed')
    expect([connection.value(), runConnection.value()]).toEqual(['idle', 'idle'])
    expect(toolCall.renders.count).toBe(2)
  })

  it('give nothing for what is not there', async () => {
    const { agent, use } = await setUp()
    const runId = '__proto__'
    expect(use(() => agent.useToolCall({ runId, toolCallId: 'constructor' })).value()).toBeUndefined()
    expect(use(() => agent.useApproval({ runId, approvalId: 'constructor' })).value()).toBeUndefined()
    expect(use(() => agent.useAgentRun({ runId })).value()).toBeUndefined()
    expect(use(() => agent.useCommandState({ runId, type: 'run.cancel' })).value()).toBeUndefined()
    expect(use(() => agent.useConnectionState({ runId })).value()).toBe('idle')
    expect(use(() => agent.useAgentTimeline({ sessionId: runId })).value()).toEqual([])
  })

  it('keep a timeline’s items while their entities stay', async () => {
    const { agent, use, wire, settle } = await setUp()
    const timeline = use(() => agent.useAgentTimeline({ sessionId: 's1', includeReasoning: true }))
    const before = timeline.value()
    expect(before.map(({ kind }) => kind)).toEqual(['tool', 'tool', 'approval', 'message'])
    wire.send('message.delta', { messageId: 'm', delta: 'x' })
    await settle()
    expect(timeline.value().slice(0, 3).every((item, index) => item === before[index])).toBe(true)
    expect(timeline.value()[3]).not.toBe(before[3])
    expect(timeline.renders.count).toBe(2)
  })

  it('follow a command, and know which commands a provider takes', async () => {
    const { agent, use, runId, scripted, settle } = await setUp()
    const command = use(() => agent.useCommandState({ runId, type: 'approval.resolve', entityId: 'p' }))
    const actions = use(() => agent.useAgentActions())
    expect(use(() => agent.useCommandSupport({ runId, type: 'tool.retry' })).value()).toBe(true)
    expect(agent.supportsCommand('scripted', 'run.cancel')).toBe(true)
    expect(agent.supportsCommand('unknown', 'run.cancel')).toBe(true)
    scripted.onCommand = async function* (_, create) {
      yield create('approval.resolved', { approvalId: 'p', decision: 'rejected' })
    }
    let answer!: Promise<unknown>
    act(() => {
      answer = actions.value().resolveApproval({ runId, approvalId: 'p', decision: 'rejected' })
    })
    expect(command.value()?.status).toBe('submitting')
    await settle()
    expect(command.value()?.status).toBe('succeeded')
    await expect(answer).resolves.toMatchObject({ idempotencyKey: scripted.commands[0]!.idempotencyKey })
  })
})

describe('useAgentActions', () => {
  it('is the same object at each render, and says why it refused', async () => {
    const { agent, use, runId, wire, settle } = await setUp()
    const { value, rerender, renders } = use(() => agent.useAgentActions())
    const first = value()
    rerender()
    expect(value()).toBe(first)
    expect(renders.count).toBe(2)
    await expect(first.retryTool({ runId, toolCallId: 't' })).rejects.toThrow(AgentRuntimeError)
    await expect(first.resolveApproval({ runId, approvalId: 'nowhere', decision: 'approved' })).rejects.toMatchObject({
      code: 'approval_not_waiting',
    })
    wire.send('run.completed', {})
    await settle()
    await expect(first.cancelRun({ runId })).rejects.toMatchObject({ code: 'run_ended' })
  })

  it('says by its promise also that the runtime of its store is gone', async () => {
    const { agent, store, use, runId } = await setUp()
    const { value } = use(() => agent.useAgentActions())
    await act(() => store.dispatch(agent.actions.destroy()).unwrap())
    await expect(value().cancelRun({ runId })).rejects.toMatchObject({ code: 'runtime_destroyed' })
  })
})
