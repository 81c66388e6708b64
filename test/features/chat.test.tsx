import { act, renderHook } from '@testing-library/react'
import type { ChatMessage, XChatOptions } from 'redux-agent/react'
import { XChatError } from 'redux-agent/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createHarness } from './support/createHarness.tsx'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function setUp(options: Partial<XChatOptions<unknown, ChatMessage>> = {}) {
  const harness = createHarness()
  const { agent, wrapper } = harness
  const renders = { count: 0 }
  const hook = renderHook(
    (props: Partial<XChatOptions<unknown, ChatMessage>>) => {
      renders.count += 1
      return agent.useXChat({ provider: 'scripted', conversationKey: 's1', ...options, ...props })
    },
    { wrapper, initialProps: {} },
  )
  const chat = () => hook.result.current
  async function request(input: unknown = { text: 'Hello' }) {
    act(() => void chat().onRequest(input))
    await harness.settle()
    return harness.scripted.wires.at(-1)!
  }
  return { ...harness, ...hook, chat, request, renders }
}

const texts = (messages: readonly { message: ChatMessage }[]) => messages.map(({ message }) => message.content)

describe('useXChat', () => {
  it('shows what a run says, in state order, with the status of each message', async () => {
    const { chat, request, settle } = setUp()
    expect(chat().messages).toEqual([])
    expect(chat().isRequesting).toBe(false)

    const wire = await request()
    expect(chat().isRequesting).toBe(true)
    wire.send('message.started', { messageId: 'u', role: 'user', content: 'Hello' })
    wire.send('message.started', { messageId: 'a', role: 'assistant' })
    wire.send('message.delta', { messageId: 'a', delta: 'Good ' })
    wire.send('message.delta', { messageId: 'a', delta: 'day' })
    await settle()
    expect(texts(chat().messages)).toEqual(['Hello', 'Good day'])
    expect(chat().messages.map(({ status }) => status)).toEqual(['local', 'updating'])
    expect(chat().connectionState).toBe('connected')

    wire.send('message.completed', { messageId: 'a' })
    wire.send('run.completed', {})
    wire.end()
    await settle()
    expect(chat().messages.map(({ status }) => status)).toEqual(['local', 'success'])
    expect(chat()).toMatchObject({ isRequesting: false, connectionState: 'idle', sessionId: 's1' })
    expect(chat().agentState.runs[wire.runId]?.status).toBe('completed')
  })

  it.each([
    ['run.completed', {}, 'success'],
    ['run.failed', { error: { message: 'No.' } }, 'error'],
    ['run.cancelled', {}, 'abort'],
  ] as const)('shows a message left open by %s as what the run came to', async (type, payload, status) => {
    const { chat, request, settle } = setUp()
    const wire = await request()
    wire.send('message.started', { messageId: 'a', role: 'assistant', content: 'Half' })
    wire.send(type, payload as never)
    await settle()
    expect(chat().messages[0]!.status).toBe(status)
  })

  it('closes the local wire on abort, and shows what was open as aborted', async () => {
    const { chat, request, settle } = setUp()
    const wire = await request()
    wire.send('message.started', { messageId: 'a', role: 'assistant', content: 'Half' })
    await settle()
    act(() => chat().abort())
    await settle()
    expect(wire.signal.aborted).toBe(true)
    expect(chat().messages[0]!.status).toBe('abort')
    expect(chat().isRequesting).toBe(false)
    expect(chat().agentState.runs[wire.runId]?.status).toBe('running')
  })

  it('gives the same functions and actions at each render, and they read the latest state', async () => {
    const { chat, request, rerender, settle, scripted } = setUp()
    const first = chat()
    const wire = await request()
    wire.send('approval.requested', { approvalId: 'p', data: { path: 'a.md' } })
    await settle()
    rerender({ defaultMessages: [] })
    for (const name of ['onRequest', 'onReload', 'abort', 'setMessages', 'setMessage', 'removeMessage'] as const) {
      expect(chat()[name]).toBe(first[name])
    }
    expect(chat().agentActions).toBe(first.agentActions)

    let result: unknown
    await act(async () => {
      result = await first.agentActions.resolveApproval({ runId: wire.runId, approvalId: 'p', decision: 'approved' })
    })
    expect(result).toMatchObject({ commandId: scripted.commands[0]!.commandId })
    const key = Object.values(chat().latestCommandByAction)[0]!
    expect(chat().commandStates[key]).toMatchObject({ status: 'succeeded' })
  })

  it('follows another conversation key, and comes back to the first one', async () => {
    const { chat, request, rerender, settle } = setUp()
    const wire = await request()
    wire.send('message.started', { messageId: 'a', role: 'assistant', content: 'In one' })
    await settle()
    const one = chat().messages
    rerender({ conversationKey: 2 })
    expect(chat()).toMatchObject({ sessionId: '2', messages: [], isRequesting: false })
    wire.send('message.delta', { messageId: 'a', delta: '!' })
    await settle()
    rerender({ conversationKey: 's1' })
    expect(chat().messages).not.toBe(one)
    expect(texts(chat().messages)).toEqual(['In one!'])
  })

  it('gives a component without a key a session of its own, also under StrictMode', async () => {
    const { agent, wrapper, settle, scripted } = createHarness()
    const use = () => agent.useXChat({ provider: 'scripted' })
    const one = renderHook(use, { wrapper, reactStrictMode: true })
    const other = renderHook(use, { wrapper, reactStrictMode: true })
    const { sessionId } = one.result.current
    expect(sessionId).not.toBe(other.result.current.sessionId)
    one.rerender()
    expect(one.result.current.sessionId).toBe(sessionId)
    act(() => void one.result.current.onRequest('Hi'))
    await settle()
    scripted.wires[0]!.send('message.started', { messageId: 'a', role: 'assistant', content: 'Yes?' })
    await settle()
    expect(texts(one.result.current.messages)).toEqual(['Yes?'])
    expect(other.result.current.messages).toEqual([])
  })

  it('keeps symbols apart that read the same, and shares a session between two users of one symbol', () => {
    const { agent, wrapper } = createHarness()
    const use = (key: symbol) => agent.useXChat({ provider: 'scripted', conversationKey: key }).sessionId
    const key = Symbol('chat')
    const ids = [key, key, Symbol('chat')].map((each) => renderHook(() => use(each), { wrapper }).result.current)
    expect(ids[0]).toBe(ids[1])
    expect(ids[0]).not.toBe(ids[2])
  })

  it.each(['__proto__', 'constructor', 'toString'])('takes %s as a conversation key and as ids', async (id) => {
    const { chat, settle, scripted } = setUp({ conversationKey: id })
    expect(chat().messages).toEqual([])
    act(() => void chat().onRequest('Hi'))
    await settle()
    scripted.wires[0]!.send('message.started', { messageId: id, role: 'assistant', content: 'Fine' })
    await settle()
    expect(texts(chat().messages)).toEqual(['Fine'])
    expect(({} as Record<string, unknown>).content).toBeUndefined()
  })

  it('lets a run outlive its component, unless it is told to abort', async () => {
    for (const abortOnUnmount of [false, true]) {
      const { request, unmount, settle } = setUp({ abortOnUnmount })
      const wire = await request()
      unmount()
      await settle()
      expect(wire.signal.aborted).toBe(abortOnUnmount)
    }
  })

  it('does not take the rehearsal of StrictMode for an unmount', async () => {
    const { agent, wrapper, start, settle } = createHarness()
    const wire = await start('s1')
    const { unmount } = renderHook(
      () => agent.useXChat({ provider: 'scripted', conversationKey: 's1', abortOnUnmount: true }),
      { wrapper, reactStrictMode: true },
    )
    await settle()
    expect(wire.signal.aborted).toBe(false)
    unmount()
    await settle()
    expect(wire.signal.aborted).toBe(true)
  })

  it('takes a provider object that the runtime was not told of', async () => {
    const other = createHarness().scripted
    const { chat, settle } = setUp({ provider: { ...other.provider, id: 'other' } })
    act(() => void chat().onRequest({ text: 'Hi' }))
    await settle()
    expect(other.wires[0]!.input).toEqual({ text: 'Hi' })
  })

  it('gives the task of the run, which ends with the stream and never rejects', async () => {
    const { chat, settle, scripted } = setUp()
    let task!: ReturnType<ReturnType<typeof chat>['onRequest']>
    act(() => {
      task = chat().onRequest('Hi')
    })
    await settle()
    expect(task.runId).toBe(scripted.wires[0]!.runId)
    scripted.wires[0]!.break(new Error('The wire broke.'))
    await settle()
    await expect(task).resolves.toMatchObject({ data: { runId: task.runId } })
    expect(chat().agentState.runs[task.runId]?.status).toBe('failed')
  })
})

describe('onReload', () => {
  it('starts a run with the input of the run that made the message, or with another one', async () => {
    const { chat, request, settle, scripted } = setUp()
    const wire = await request({ text: 'First' })
    wire.send('message.started', { messageId: 'a', role: 'assistant', content: 'One' })
    await settle()
    const { id } = chat().messages[0]!
    act(() => void chat().onReload(id))
    act(() => void chat().onReload(id, { text: 'Second' }))
    await settle()
    expect(scripted.wires.map(({ input }) => input)).toEqual([{ text: 'First' }, { text: 'First' }, { text: 'Second' }])
    expect(new Set(scripted.wires.map(({ runId }) => runId)).size).toBe(3)
  })

  it('knows of no input any more once the session was closed, but for those of the sessions that are here', async () => {
    const { agent, store, scripted, chat, request, rerender, settle } = setUp({ conversationKey: 's2' })
    scripted.provider.start = (_input, events) => [events.create('run.started', {})]
    const kept = await request({ text: 'Kept' })
    rerender({ conversationKey: 's1' })
    const closed = await request({ text: 'Closed' })
    await act(() => store.dispatch(agent.actions.closeSession({ sessionId: 's1' })).unwrap())
    rerender({ conversationKey: 's3' })
    await request()
    const toHistory = ({ runId }: typeof kept) =>
      ({ id: 'm', runId, role: 'assistant', content: 'One', status: 'completed', createdAt: 1 }) as const
    rerender({ conversationKey: 's1', history: [toHistory(closed)] })
    const reload = () => act(() => void chat().onReload(chat().messages[0]!.id))
    expect(reload).toThrow(expect.objectContaining({ code: 'unknown_input' }))
    rerender({ conversationKey: 's2', history: [toHistory(kept)] })
    reload()
    await settle()
    expect(scripted.wires.at(-1)!.input).toEqual({ text: 'Kept' })
  })

  it('throws for a message that no run of the session made', () => {
    const { chat } = setUp({ defaultMessages: [{ message: { role: 'assistant', content: 'Welcome' } }] })
    expect(() => chat().onReload('nowhere')).toThrow(XChatError)
    expect(() => chat().onReload('default_0')).toThrow(/No run of this session made message "default_0"/)
  })
})

describe('a conversationKey that is empty', () => {
  it('names no conversation, and says so; one that is not known yet is none at all', () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined)
    expect(() => setUp({ conversationKey: '' })).toThrow(
      expect.objectContaining({ name: 'XChatError', code: 'invalid_conversation_key' }),
    )
    expect(setUp({ conversationKey: undefined }).chat().sessionId).not.toBe('')
  })
})

describe('a request that is refused at once', () => {
  it('is told by its task', async () => {
    const { chat } = setUp({ provider: 'nobody' })
    const task = chat().onRequest({ text: 'Hello' })
    await expect(task.unwrap()).rejects.toMatchObject({ code: 'unknown_provider' })
    expect(chat().isRequesting).toBe(false)
  })
})

describe('default messages and edits', () => {
  it('shows the default messages before the session’s own, and keeps them when they are written anew', async () => {
    const { chat, request, settle, rerender } = setUp({
      defaultMessages: [
        { message: { role: 'user', content: 'Earlier' } },
        { id: 'x', message: { role: 'assistant', content: 'Yes' }, status: 'success' },
      ],
    })
    const wire = await request()
    wire.send('message.started', { messageId: 'a', role: 'assistant', content: 'Now' })
    await settle()
    rerender({ defaultMessages: [] })
    expect(texts(chat().messages)).toEqual(['Earlier', 'Yes', 'Now'])
    expect(chat().messages.slice(0, 2)).toMatchObject([
      { id: 'default_0', status: 'local' },
      { id: 'x', status: 'success' },
    ])
  })

  it('edits what is shown and nothing else, while the run goes on', async () => {
    const { chat, request, settle } = setUp()
    const wire = await request()
    wire.send('message.started', { messageId: 'u', role: 'user', content: 'Hello' })
    wire.send('message.started', { messageId: 'a', role: 'assistant', content: 'Go' })
    await settle()
    const [user, answer] = chat().messages

    act(() => {
      expect(chat().setMessage(user!.id, { message: { role: 'user', content: 'Edited' } })).toBe(true)
      expect(chat().setMessage('nowhere', { status: 'error' })).toBe(false)
      chat().setMessages((shown) => [
        ...shown,
        { id: 'mine', status: 'local', message: { role: 'user', content: 'Mine' } },
      ])
    })
    wire.send('message.delta', { messageId: 'a', delta: ' on' })
    wire.send('message.started', { messageId: 'b', role: 'assistant', content: 'Next' })
    await settle()
    expect(texts(chat().messages)).toEqual(['Edited', 'Go on', 'Mine', 'Next'])

    act(() => {
      expect(chat().removeMessage(answer!.id)).toBe(true)
      expect(chat().removeMessage(answer!.id)).toBe(false)
      expect(chat().removeMessage('mine')).toBe(true)
    })
    wire.send('message.delta', { messageId: 'a', delta: ' and on' })
    await settle()
    expect(texts(chat().messages)).toEqual(['Edited', 'Next'])
    expect(Object.values(chat().agentState.messages).map(({ content }) => content)).toEqual([
      'Hello',
      'Go on and on',
      'Next',
    ])
  })

  it('keeps the object of a message that did not change, edited or not', async () => {
    const { chat, request, settle } = setUp()
    const wire = await request()
    wire.send('message.started', { messageId: 'a', role: 'assistant', content: 'One' })
    wire.send('message.completed', { messageId: 'a' })
    wire.send('message.started', { messageId: 'b', role: 'assistant', content: 'Two' })
    await settle()
    act(() => void chat().setMessage(chat().messages[0]!.id, { status: 'error' }))
    const [edited] = chat().messages
    wire.send('message.delta', { messageId: 'b', delta: '!' })
    await settle()
    expect(chat().messages[0]).toBe(edited)
    expect(edited!.status).toBe('error')
    expect(chat().messages[1]!.message.content).toBe('Two!')
  })
})

describe('parsedMessages', () => {
  it('are the messages themselves without a parser', async () => {
    const { chat } = setUp()
    expect(chat().parsedMessages).toBe(chat().messages)
  })

  it('parses a message once, into one or many', async () => {
    const { agent, wrapper, start, settle } = createHarness()
    const wire = await start()
    const parser = vi.fn((message: ChatMessage) => String(message.content).split('|'))
    const { result } = renderHook(
      () => agent.useXChat<unknown, string>({ provider: 'scripted', conversationKey: 's1', parser }),
      { wrapper },
    )
    wire.send('message.started', { messageId: 'a', role: 'assistant', content: 'one|two' })
    wire.send('message.completed', { messageId: 'a' })
    wire.send('message.started', { messageId: 'b', role: 'assistant', content: 'three' })
    await settle()
    const [first, second] = result.current.messages
    expect(result.current.parsedMessages).toEqual([
      { id: `${first!.id}_0`, message: 'one', status: 'success' },
      { id: `${first!.id}_1`, message: 'two', status: 'success' },
      { id: second!.id, message: 'three', status: 'updating' },
    ])
    const [parsed] = result.current.parsedMessages
    const parses = () => parser.mock.calls.filter(([message]) => message.id === 'a').length
    const before = parses()
    wire.send('message.delta', { messageId: 'b', delta: '!' })
    await settle()
    expect(result.current.parsedMessages[0]).toBe(parsed)
    expect(parses()).toBe(before)
  })
})
