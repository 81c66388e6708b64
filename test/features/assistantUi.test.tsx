import { act, cleanup, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { setUpAssistant as setUp } from './support/setUpAssistant.tsx'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] }))
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

describe('assistant-ui on a session', () => {
  it('shows a run as one message of parts, and its state as it goes on', async () => {
    const { send, messages, given, thread, settle, scripted } = await setUp()
    const wire = await send('Hello')
    expect(scripted.wires).toHaveLength(1)
    wire.send('message.started', { messageId: 'u', role: 'user', content: 'Hello' })
    wire.send('reasoning.started', { reasoningId: 'r' })
    wire.send('reasoning.delta', { reasoningId: 'r', delta: 'Let me see.' })
    wire.send('message.started', { messageId: 'a', role: 'assistant' })
    wire.send('message.delta', { messageId: 'a', delta: 'Good day' })
    wire.send('tool.requested', { toolCallId: 't', name: 'look', arguments: '{"at":"sky"}' })
    await settle()
    expect(messages().map(({ role, status }) => [role, status?.type])).toEqual([
      ['user', undefined],
      ['assistant', 'running'],
    ])
    expect(thread().getState().isRunning).toBe(true)
    expect(screen.getByText('Good day').tagName).toBe('P')
    expect(screen.getByText('Let me see.').tagName).toBe('I')
    const first = given()[0]
    const second = given()[1]
    wire.send('tool.running', { toolCallId: 't' })
    wire.send('tool.completed', { toolCallId: 't', result: { colour: 'blue' } })
    wire.send('run.completed', {})
    await settle()
    expect(messages()[1]?.status).toEqual({ type: 'complete', reason: 'stop' })
    expect(given()[0]).toBe(first)
    expect(given()[1]).not.toBe(second)
    expect(screen.getByText(/"toolName":"look".*"result":\{"colour":"blue"\}/)).toBeTruthy()
    expect(thread().getState().isRunning).toBe(false)
  })

  it('answers an approval as a command, and shows it as answered once the event is there', async () => {
    const { send, messages, thread, settle, scripted } = await setUp()
    const wire = await send('Write')
    wire.send('tool.requested', { toolCallId: 't', name: 'write', arguments: '{}' })
    wire.send('approval.requested', { approvalId: 'p', toolCallId: 't', description: 'May I?' })
    await settle()
    expect(messages()[0]?.status).toEqual({ type: 'requires-action', reason: 'tool-calls' })
    const part = () => thread().getMessageByIndex(0).getMessagePartByIndex(0)
    expect(part().getState()).toMatchObject({ approval: { prompt: 'May I?' } })
    act(() => screen.getByText('No').click())
    await settle()
    expect(scripted.commands).toMatchObject([
      { type: 'approval.resolve', payload: { approvalId: 'p', decision: 'rejected' } },
    ])
    expect((part().getState() as { approval?: { approved?: boolean } }).approval?.approved).toBeUndefined()
    wire.send('approval.resolved', { approvalId: 'p', decision: 'rejected' })
    wire.send('tool.cancelled', { toolCallId: 't' })
    await settle()
    expect(part().getState()).toMatchObject({ approval: { approved: false } })
  })

  it('asks what belongs to no tool call, and gives the result of a tool as the answer that its call waits for', async () => {
    const { send, thread, given, settle, scripted } = await setUp()
    const wire = await send('Where?')
    wire.send('approval.requested', { approvalId: 'q', description: 'Which city?', data: { kind: 'city' } })
    wire.send('tool.requested', { toolCallId: 't', name: 'locate' })
    wire.send('approval.requested', { approvalId: 'p', toolCallId: 't' })
    await settle()
    expect(given()[0]?.content).toMatchObject([
      { toolName: 'approval', argsText: '{"kind":"city"}', approval: { prompt: 'Which city?' } },
      { toolName: 'locate', approval: {} },
    ])
    const part = () => thread().getMessageByIndex(0).getMessagePartByIndex(1)
    act(() => part().addToolResult({ lat: 1 }))
    await settle()
    expect(scripted.commands).toMatchObject([
      { type: 'approval.resolve', payload: { approvalId: 'p', decision: 'modified', data: { lat: 1 } } },
    ])
  })

  it('asks a plain question with its options, and takes an option, other words or a dismissal', async () => {
    const { send, thread, settle, scripted, given } = await setUp()
    const wire = await send('Where?')
    const data = { isQuestion: true, options: ['Lisbon', { value: 'opo', label: 'Porto' }] }
    for (const approvalId of ['a', 'b', 'c', 'd']) {
      wire.send('approval.requested', { approvalId, description: 'Which city?', data, editable: approvalId !== 'd' })
    }
    await settle()
    const part = (index: number) => thread().getMessageByIndex(0).getMessagePartByIndex(index)
    const responses = [
      { answers: { answer: { optionIds: ['opo'] } } },
      { answers: { answer: { text: 'Faro' } } },
      { approved: false },
      { answers: { answer: { text: 'Braga' } } },
    ]
    for (const [index, response] of responses.entries()) {
      act(() => void part(index).respondToToolApproval(response))
      // eslint-disable-next-line no-await-in-loop
      await settle()
    }
    expect(scripted.commands.map(({ payload }) => payload)).toEqual([
      { approvalId: 'a', decision: 'modified', data: { answer: 'opo' } },
      { approvalId: 'b', decision: 'modified', data: { answer: 'Faro' } },
      { approvalId: 'c', decision: 'rejected' },
      { approvalId: 'd', decision: 'approved', data: { answer: 'Braga' } },
    ])
    for (const [approvalId, answer] of [['a', 'opo'], ['b', 'Faro']] as const) {
      wire.send('approval.resolved', { approvalId, decision: 'modified', data: { ...data, answer } })
    }
    await settle()
    const options = [{ id: 'Lisbon', label: 'Lisbon' }, { id: 'opo', label: 'Porto' }]
    const questions = [{ id: 'answer', prompt: 'Which city?', options, allowFreeform: true }]
    expect(given()[0]?.content).toMatchObject([
      { approval: { questions, approved: true, answers: { answer: { optionIds: ['opo'] } } } },
      { approval: { questions, approved: true, answers: { answer: { text: 'Faro' } } } },
      { approval: { questions, dismissible: true } },
      { approval: { questions } },
    ])
  })

  it('closes the wire where the provider knows no cancel, and calls that message cancelled', async () => {
    const { send, thread, given, settle, scripted } = await setUp({ commands: [] })
    const wire = await send('Long')
    wire.send('message.started', { messageId: 'a', role: 'assistant', content: 'Half' })
    await settle()
    act(() => thread().cancelRun())
    await settle()
    expect(scripted.commands).toEqual([])
    expect(wire.signal.aborted).toBe(true)
    expect(given()[0]?.status).toEqual({ type: 'incomplete', reason: 'cancelled' })
  })

  it('cancels by a command where it can, which leaves the wire open for what the runtime says', async () => {
    const { send, thread, settle, scripted } = await setUp()
    const wire = await send('Long')
    act(() => thread().cancelRun())
    await settle()
    expect(scripted.commands).toMatchObject([{ type: 'run.cancel', runId: wire.runId }])
    expect(wire.signal.aborted).toBe(false)
  })

  it('says why a run failed that had said nothing', async () => {
    const { send, messages, settle } = await setUp()
    const wire = await send('Hello')
    wire.send('message.started', { messageId: 'u', role: 'user', content: 'Hello' })
    wire.send('run.failed', { error: { message: 'No model.' } })
    await settle()
    expect(messages().map(({ role, status }) => [role, status])).toEqual([
      ['user', undefined],
      ['assistant', { type: 'incomplete', reason: 'error', error: 'No model.' }],
    ])
  })
})
