import { act, renderHook } from '@testing-library/react'
import fc from 'fast-check'
import type { ChatMessageInfo } from 'redux-agent/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createHarness } from './support/createHarness.tsx'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const info = (id: string, content = id): ChatMessageInfo => ({
  id,
  status: 'success',
  message: { role: 'assistant', content },
})

/** A chat that shows messages of these ids, and then what its run says. */
function setUp(ids: readonly string[]) {
  const harness = createHarness()
  const defaultMessages = ids.map((id) => info(id))
  const { result, unmount } = renderHook(
    () => harness.agent.useXChat({ provider: 'scripted', conversationKey: 's1', defaultMessages }),
    { wrapper: harness.wrapper },
  )
  const chat = () => result.current
  const shown = () => chat().messages.map(({ message }) => message.content)
  return { ...harness, chat, shown, unmount }
}

describe('editing messages', () => {
  it('keeps an arrangement with additions and removals, and lets later messages follow', async () => {
    const { chat, shown, start, settle } = setUp(['a', 'b', 'c'])
    const [a, , c] = chat().messages
    act(() => chat().setMessages([c!, info('mine'), a!]))
    expect(shown()).toEqual(['c', 'mine', 'a'])
    expect(chat().messages[0]).toBe(c)
    const wire = await start()
    wire.send('message.started', { messageId: 'd', role: 'assistant', content: 'd' })
    await settle()
    expect(shown()).toEqual(['c', 'mine', 'a', 'd'])
  })

  it('applies several edits of one task one after the other', () => {
    const { chat, shown } = setUp(['a', 'b'])
    act(() => {
      chat().setMessages((messages) => [...messages, info('one')])
      chat().setMessages((messages) => [...messages, info('two')])
      chat().setMessage('one', ({ message }) => ({ message: { ...message, content: 'first' } }))
      chat().removeMessage('a')
    })
    expect(shown()).toEqual(['b', 'first', 'two'])
  })

  it('takes a list from some deltas ago for no edit: what it holds goes on, and what it lacks is removed', async () => {
    const { chat, shown, start, settle } = setUp([])
    const wire = await start()
    wire.send('message.started', { messageId: 'm', role: 'assistant', content: 'Go' })
    await settle()
    const old = chat().messages
    wire.send('message.delta', { messageId: 'm', delta: ' on' })
    wire.send('message.completed', { messageId: 'm' })
    wire.send('message.started', { messageId: 'n', role: 'assistant', content: 'Next' })
    await settle()
    act(() => chat().setMessages([...old, info('mine')]))
    expect(shown()).toEqual(['Go on', 'mine'])
    expect(chat().messages[0]!.status).toBe('success')
  })

  it('lets the text stream on under a changed status, and the status change over a changed text', async () => {
    const { chat, start, settle } = setUp([])
    const wire = await start()
    wire.send('message.started', { messageId: 'm', role: 'assistant', content: 'Go' })
    wire.send('message.started', { messageId: 'n', role: 'assistant', content: 'No' })
    await settle()
    const [m, n] = chat().messages
    act(() => {
      chat().setMessage(m!.id, { status: 'error' })
      chat().setMessage(n!.id, { message: { role: 'assistant', content: 'Yes' } })
    })
    wire.send('message.delta', { messageId: 'm', delta: ' on' })
    wire.send('message.completed', { messageId: 'n' })
    await settle()
    expect(chat().messages).toMatchObject([
      { status: 'error', message: { content: 'Go on' } },
      { status: 'success', message: { content: 'Yes' } },
    ])

    act(() => chat().setMessages([{ ...m!, status: 'abort' }]))
    expect(chat().messages).toMatchObject([{ status: 'abort', message: { content: 'Go on' } }])
  })

  it('takes back an earlier edit when the message is put in as the state has it', () => {
    const { chat } = setUp(['a'])
    const original = chat().messages[0]!
    act(() => void chat().setMessage('a', { status: 'error' }))
    act(() => chat().setMessages((messages) => [...messages]))
    expect(chat().messages[0]!.status).toBe('error')
    act(() => chat().setMessages([original]))
    expect(chat().messages[0]).toBe(original)
  })

  it('shows just what was set, for any arrangement of any messages', () => {
    const ids = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', '__proto__', 'constructor'))
    fc.assert(
      fc.property(ids, ids, (known, wanted) => {
        const { chat, unmount } = setUp(known)
        const next = wanted.map((id) => chat().messages.find((each) => each.id === id) ?? info(id))
        act(() => chat().setMessages([...next, ...next]))
        expect(chat().messages).toEqual(next)
        unmount()
      }),
    )
  })
})
