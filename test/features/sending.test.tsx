import { act, cleanup, renderHook } from '@testing-library/react'
import type { ReactNode } from 'react'
import { Provider } from 'react-redux'
import { AgentRuntimeError, AgentTransportError } from 'redux-agent'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { store } from '../../demo/web/src/app/store.ts'
import { useCancelRun } from '../../demo/web/src/assistant/useCancelRun.ts'
import { useSending } from '../../demo/web/src/assistant/useSending.ts'

afterEach(cleanup)

const wrapper = ({ children }: { children: ReactNode }) => <Provider store={store}>{children}</Provider>

type Request = Parameters<typeof useSending>[0]['onRequest']

function setUp(onRequest: Request) {
  const onUnsent = vi.fn<(text: string) => void>()
  const onReload = () => onRequest({ message: 'again' })
  const { result } = renderHook(() => useSending({ onRequest, onReload, onUnsent }), { wrapper })
  return { onUnsent, sending: () => result.current }
}

/** A start that ends with an error and without a run. */
function failWith(reason: unknown, runId = 'never'): Request {
  return () =>
    Object.assign(Promise.resolve({ error: reason }), {
      runId,
      unwrap: async () => {
        throw reason
      },
    })
}

describe('a message of the demo', () => {
  it.each(['send', 'sendAgain'] as const)('that is refused at once by %s comes back, and is told why', async (way) => {
    const { onUnsent, sending } = setUp(() => {
      throw new AgentRuntimeError('time_travel', 'A past state is shown.')
    })
    const text = 'Hello'
    await act(() => (way === 'send' ? sending().send(text) : sending().sendAgain({ id: 'm', content: text })))
    expect(onUnsent.mock.calls).toEqual([['Hello']])
    expect(sending().outgoing?.text).toBeUndefined()
    expect(sending().failure).toMatchObject({ kind: 'refused', title: 'The message was not sent' })
    expect(sending().failure!.advice).toMatch(/^A past state is shown\. Return to the present first\. Your text is back/)
  })

  it('that is refused by its task comes back, and is told why', async () => {
    const { onUnsent, sending } = setUp(failWith(new AgentRuntimeError('time_travel', 'A past state is shown.'), ''))
    await act(() => sending().send('Hello'))
    expect(onUnsent.mock.calls).toEqual([['Hello']])
    expect(sending().failure).toMatchObject({ kind: 'refused', title: 'The message was not sent' })
  })

  it('that is sent again says what it said, also where what it was sent with is not known any more', async () => {
    const onReload = vi.fn<Parameters<typeof useSending>[0]['onReload']>(failWith(new Error('x')) as never)
    vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const { result } = renderHook(
      () => useSending({ onRequest: failWith(new Error('x')), onReload, onUnsent: () => undefined }),
      { wrapper },
    )
    await act(() => result.current.sendAgain({ id: 'm', content: 'Hello' }))
    expect(onReload.mock.calls).toEqual([['m', { message: 'Hello', currentDocument: undefined }]])
  })

  it.each([
    [new AgentTransportError('http_status', 'The server answered with status 404, not 200.'), /status 404/],
    [new AgentTransportError('http_status', 'The server answered with status 500, not 200.'), /status 500/],
    [new AgentTransportError('network', 'The server could not be reached.'), /not lost/],
  ])('whose start fails comes back: %s', async (error, advice) => {
    const { onUnsent, sending } = setUp(failWith(error))
    await act(() => sending().send('Hello'))
    expect(onUnsent.mock.calls).toEqual([['Hello']])
    expect(sending().failure!.advice).toMatch(advice)
  })
})

describe('cancelling a run of the demo', () => {
  it('tells a refusal that came before there was a command', async () => {
    const { result } = renderHook(() => useCancelRun('unknown'), { wrapper })
    expect(result.current.failure).toBeUndefined()
    await act(async () => result.current.cancel())
    expect(result.current.failure).toBe('Not cancelled: Run "unknown" does not exist in the active session.')
  })
})
