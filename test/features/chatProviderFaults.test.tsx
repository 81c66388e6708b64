import { cleanup, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { noticeUncaught } from '../store/noticeUncaught.ts'
import { eventually } from '../support/eventually.ts'
import { createHarness } from './support/createHarness.tsx'
import { createWires, setUp, type Options } from './support/setUpChat.tsx'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

// Where x-sdk's own hook crashes, or says a thing twice, ours does not.
describe('a chat of the published x-sdk', () => {
  it('gives an answer an id of its own beside messages that an earlier page had made', async () => {
    const { chat, settle, ask, hear } = setUp('ours', {
      defaultMessages: [
        { id: 'msg_0', status: 'local', message: { content: 'Hello', role: 'user' } },
        { id: 'msg_1', status: 'success', message: { content: 'Good day', role: 'assistant' } },
      ],
    })
    await settle()
    await ask('Again')
    await hear('Good night', { isLast: true })
    expect(chat().messages.map(({ message }) => message.content)).toEqual(['Hello', 'Good day', 'Again', 'Good night'])
    expect(new Set(chat().messages.map(({ id }) => id)).size).toBe(4)
  })

  it.each<[string, Options['defaultMessages']]>([
    ['throws', () => { throw new Error('no') }],
    ['rejects', () => Promise.reject(new Error('no'))],
    ['resolves with nothing', () => Promise.resolve(undefined as never)],
    ['gives nothing', () => undefined as never],
    ['is null', null as never],
  ])('begins without first messages where what loads them %s', async (_name, defaultMessages) => {
    const warned = vi.spyOn(console, 'warn').mockReturnValue(undefined)
    const { chat, settle, ask, hear } = setUp('ours', { defaultMessages })
    await settle()
    await ask('Hello')
    await hear('Good day', { isLast: true })
    expect(chat().messages.map(({ message }) => message.content)).toEqual(['Hello', 'Good day'])
    expect(chat().isDefaultMessagesRequesting).toBe(false)
    expect(warned).toHaveBeenCalledTimes(_name === 'throws' || _name === 'rejects' ? 1 : 0)
  })

  const fallback = { requestFallback: { content: 'Sorry', role: 'assistant' } }
  it.each([['asked', false], ['asked again', true]])('tells a failure once where what is %s is tried again, and not beside the answer that comes then', async (_name, isReload) => {
    const { chat, ask, askAgain, hear, cut } = setUp('ours', fallback, { retryInterval: 10 })
    const contents = () => chat().messages.map(({ message }) => message.content)
    await ask('Hello')
    if (isReload) {
      await hear('First', { isLast: true })
      await askAgain('Hello')
    }
    for (let attempt = 0; attempt < 3; attempt += 1) {
      await cut()
      expect(contents()).toEqual(['Hello', 'Sorry'])
    }
    await hear('Good day', { isLast: true })
    expect(contents()).toEqual(['Hello', 'Good day'])
  })

  it('refuses an empty key, which all that have no id yet would share', () => {
    const { provider } = createWires()
    const { agent, wrapper } = createHarness()
    vi.spyOn(console, 'error').mockReturnValue(undefined)
    const show = () => renderHook(() => agent.useXChat({ provider, conversationKey: '' }), { wrapper })
    expect(show).toThrow(expect.objectContaining({ code: 'invalid_conversation_key' }))
  })
})

describe('a fallback that fails', () => {
  const { unhandled } = noticeUncaught()

  it('leaves nothing that waits for an answer, and is the app’s to hear of', async () => {
    const failure = new Error('No words.')
    const { chat, ask, cut } = setUp('ours', {
      requestPlaceholder: { content: '…', role: 'assistant' },
      requestFallback: () => Promise.reject(failure),
    })
    await ask('Hello')
    await cut()
    vi.useRealTimers()
    await eventually(() => expect(unhandled).toHaveBeenCalledWith(failure, expect.anything()))
    expect(chat().messages.map(({ status }) => status)).toEqual(['local', 'error'])
  })
})
