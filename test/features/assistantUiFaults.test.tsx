import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import type { AgentMessageContent } from 'redux-agent'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { setUpAssistant as setUp } from './support/setUpAssistant.tsx'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] }))
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

describe('a message that assistant-ui would not take', () => {
  it.each<[string, AgentMessageContent | undefined, string]>([
    ['of the system that has no word yet', undefined, ''],
    ['of the system that has no part', [], ''],
    ['of the system in several parts', [{ type: 'text', text: 'Be ' }, { type: 'image', url: '/a.png' }, { type: 'text', text: 'brief.' }], 'Be brief.'],
  ])('%s is one text', async (_name, content, text) => {
    const { send, settle, messages } = await setUp()
    const wire = await send('Hello')
    wire.send('message.started', { messageId: 'm', role: 'system', content })
    await settle()
    expect(messages()[0]).toMatchObject({ role: 'system', content: [{ type: 'text', text }] })
  })

  it.each<[AgentMessageContent & object, object]>([
    [[{ type: 'image', url: 'https://example.com/a.png' }], { type: 'image', image: 'https://example.com/a.png' }],
    [[{ type: 'image', data: 'aGk=' }], { type: 'image', image: 'data:image/png;base64,aGk=' }],
    [[{ type: 'image', url: '/a.webp', mediaType: 'image/webp' }], { type: 'file', data: '/a.webp', mimeType: 'image/webp' }],
    [[{ type: 'image', url: 'http://localhost/a.png' }], { type: 'file', data: 'http://localhost/a.png', mimeType: 'image/png' }],
    [[{ type: 'file', data: 'aGk=', mediaType: 'text/plain', name: 'a.txt' }], { type: 'file', data: 'data:text/plain;base64,aGk=', mimeType: 'text/plain', filename: 'a.txt' }],
  ])('for a picture’s or a file’s address or bytes %j is shown', async (content, part) => {
    const warned = vi.spyOn(console, 'warn').mockReturnValue(undefined)
    const { send, settle, messages } = await setUp()
    const wire = await send('Hello')
    wire.send('message.started', { messageId: 'm', role: 'assistant', content })
    await settle()
    expect(messages()[0]!.content).toEqual([part])
    expect(warned.mock.calls.filter(([text]) => String(text).includes('image'))).toEqual([])
  })
})

describe('what is not sent', () => {
  it.each(['the app’s own function fails', 'the start is refused'])('is back in the composer where %s', async (why) => {
    const isOwn = why.startsWith('the app')
    const { settle, store, agent, scripted } = await setUp({
      ...(isOwn && { toInput: () => { throw new Error('No such kind of file.') } }),
    })
    if (!isOwn) await store.dispatch(agent.actions.destroy())
    const input = screen.getByLabelText<HTMLTextAreaElement>('Message')
    act(() => void fireEvent.change(input, { target: { value: 'My words' } }))
    await settle()
    act(() => screen.getByText('Send').click())
    await settle()
    expect(input.value).toBe('My words')
    expect(scripted.wires).toEqual([])
  })
})

describe('a stop', () => {
  it('before the runtime has said a word closes the wire', async () => {
    const { send, thread, settle, scripted } = await setUp()
    // As where a server makes all events itself.
    scripted.provider.start = () => []
    const wire = await send('Hello')
    expect(thread().getState().isRunning).toBe(true)
    act(() => thread().cancelRun())
    await settle()
    expect(wire.signal.aborted).toBe(true)
    expect(thread().getState().isRunning).toBe(false)
  })
})

describe('what has not changed', () => {
  it('stays the same for assistant-ui while another message streams', async () => {
    const { send, settle, thread, given } = await setUp()
    const wire = await send('Hello')
    wire.send('message.started', { messageId: 'u', role: 'user', content: 'Hello' })
    wire.send('message.started', { messageId: 'a', role: 'assistant', content: 'Good' })
    await settle()
    const [first, streaming] = thread().getState().messages
    wire.send('message.delta', { messageId: 'a', delta: ' day' })
    await settle()
    await settle()
    expect(thread().getState().messages[0]).toBe(first)
    expect(thread().getState().messages[1]).not.toBe(streaming)
    const all = given()
    wire.send('task.created', { taskId: 't', title: 'Elsewhere' })
    await settle()
    await settle()
    expect(given()).not.toBe(all)
    const again = given()
    wire.send('session.started', {})
    await settle()
    await settle()
    expect(given()).toBe(again)
  })
})

describe('runs that speak in turn', () => {
  it('have one unfinished message each, their last', async () => {
    const { send, settle, messages } = await setUp()
    const [one, other] = [await send('One'), await send('Other')]
    for (const [wire, messageId] of [[one, 'a'], [other, 'b'], [one, 'c']] as const) {
      wire.send('message.started', { messageId, role: 'assistant', content: messageId })
      // eslint-disable-next-line no-await-in-loop
      await settle()
    }
    expect(messages().map(({ status }) => status?.type)).toEqual(['complete', 'running', 'running'])
  })
})

describe('what is over while its run goes on', () => {
  it.each<[string, string]>([
    ['works', 'running'],
    ['waits for a person', 'requires-action'],
  ])('is shown as over, also where there is no result, and the run %s', async (_how, status) => {
    const { send, settle, thread, messages } = await setUp()
    const wire = await send('Look')
    for (const toolCallId of ['done', 'denied', 'failed', 'open']) wire.send('tool.requested', { toolCallId, name: 'look', arguments: '{}' })
    wire.send('approval.requested', { approvalId: 'asked' })
    wire.send('tool.completed', { toolCallId: 'done' })
    wire.send('tool.cancelled', { toolCallId: 'denied', reason: 'No.' })
    wire.send('tool.failed', { toolCallId: 'failed', error: { message: 'Busy.' } })
    wire.send('approval.resolved', { approvalId: 'asked', decision: 'approved' })
    if (status === 'requires-action') wire.send('approval.requested', { approvalId: 'next' })
    await settle()
    expect(messages()[0]?.status?.type).toBe(status)
    const shown = [0, 1, 2, 3, 4].map((at) => {
      const part = thread().getMessageByIndex(0).getMessagePartByIndex(at).getState() as { result?: unknown; isError?: boolean; status: { type: string } }
      return [part.status.type, part.result, part.isError]
    })
    expect(shown).toEqual([
      ['complete', null, undefined],
      ['complete', { cancelled: true, reason: 'No.' }, true],
      ['complete', 'Busy.', true],
      [status, undefined, undefined],
      ['complete', 'approved', undefined],
    ])
  })
})

describe('an answer to what is asked', () => {
  it.each([
    ['a consent', { approved: true }, { decision: 'approved' }],
    ['a consent with words', { approved: true, text: 'Oslo' }, { decision: 'modified', data: 'Oslo' }],
    ['a refusal with its reason', { approved: false, reason: 'Not now.' }, { decision: 'rejected', data: { reason: 'Not now.' } }],
  ])('may be %s', async (_name, response, payload) => {
    const { send, settle, adapter, thread, scripted } = await setUp()
    const wire = await send('Where?')
    wire.send('approval.requested', { approvalId: 'p', description: 'Where to?' })
    await settle()
    const { approval } = thread().getMessageByIndex(0).getMessagePartByIndex(0).getState() as { approval: { id: string } }
    await act(async () => {
      await adapter().onRespondToToolApproval!({ approvalId: approval.id, ...response })
    })
    expect(scripted.commands.map((command) => command.payload)).toEqual([{ approvalId: 'p', ...payload }])
  })

  it.each([
    ['a result', undefined, { colour: 'blue' }, { decision: 'modified', data: { colour: 'blue' } }],
    ['a result, where nothing may be edited', false, { colour: 'blue' }, { decision: 'approved', data: { colour: 'blue' } }],
  ])('may be %s of the page’s own tool', async (_name, editable, result, payload) => {
    const { send, settle, thread, scripted } = await setUp()
    const wire = await send('Look')
    wire.send('tool.requested', { toolCallId: 't', name: 'look' })
    wire.send('approval.requested', { approvalId: 'p', toolCallId: 't', editable })
    await settle()
    act(() => thread().getMessageByIndex(0).getMessagePartByIndex(0).addToolResult(result))
    await settle()
    expect(scripted.commands.map((command) => command.payload)).toEqual([{ approvalId: 'p', ...payload }])
  })

  it('is an error where the page’s own tool fails', async () => {
    const { send, settle, scripted, adapter } = await setUp()
    const wire = await send('Look')
    wire.send('tool.requested', { toolCallId: 't', name: 'look' })
    wire.send('approval.requested', { approvalId: 'p', toolCallId: 't' })
    await settle()
    const [{ toolCallId }] = adapter().messages![0]!.content as unknown as [{ toolCallId: string }]
    await act(async () => {
      await adapter().onAddToolResult!({ messageId: 'm', toolName: 'look', toolCallId, result: 'No light.', isError: true })
    })
    expect(scripted.commands.map((command) => command.payload)).toEqual([{ approvalId: 'p', decision: 'rejected', data: 'No light.' }])
  })
})
