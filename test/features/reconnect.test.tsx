import { configureStore } from '@reduxjs/toolkit'
import { act, cleanup, render, renderHook, screen } from '@testing-library/react'
import type { ReactNode } from 'react'
import { Provider } from 'react-redux'
import { AgentTransportError, createAgentEventFactory } from 'redux-agent'
import { AgentTimeline, ConnectionBadge, createAgentRuntime, enUS, zhCN, type XChatOptions } from 'redux-agent/react'
import { createFaultyTransport, createGate, createScriptedProvider, type TransportFaults } from 'redux-agent/testing'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

const run = createAgentEventFactory({ runId: 'r1', sessionId: 's1', initialSequence: 0, now: () => 1 })
const log = [
  run.create('run.started', {}),
  run.create('message.started', { messageId: 'm', role: 'assistant' }),
  run.create('message.delta', { messageId: 'm', delta: 'Hello' }),
]

/** An app whose run's connections break as planned, by their number; the last one stays open. */
function setUp(plan: (index: number) => TransportFaults, options: Partial<XChatOptions<unknown, unknown>> = {}) {
  const last = createGate()
  const chunks = log.map((event) => ({ events: [event] }))
  const scripted = createScriptedProvider({
    steps: [...chunks.slice(0, 2), { gate: last }, ...chunks.slice(2), { gate: createGate() }],
    capabilities: { resumable: true, sequence: 'dense' },
    classifyError: (error) => ({ retryable: error instanceof AgentTransportError && error.retryable }),
  })
  const transport = createFaultyTransport(scripted.transport, ({ index }) => plan(index))
  let isOnline = true
  const agent = createAgentRuntime({
    providers: [{ ...scripted, transport }],
    environment: {
      createId: () => 'r1',
      random: () => 1,
      requestFrame: undefined,
      isOnline: () => isOnline,
      yieldToHost: (callback) => void setTimeout(callback),
    },
  })
  const store = configureStore({
    reducer: { [agent.reducerPath]: agent.reducer },
    middleware: (getDefault) => getDefault().concat(agent.middleware),
  })
  const wrapper = ({ children }: { children: ReactNode }) => <Provider store={store}>{children}</Provider>
  const { result } = renderHook(
    () => agent.useXChat({ provider: 'scripted', conversationKey: 's1', ...(options as object) }),
    { wrapper },
  )
  const pass = (time: number) => act(() => vi.advanceTimersByTimeAsync(time))
  return {
    agent,
    store,
    wrapper,
    pass,
    /** Lets the log's last event come. */
    last,
    chat: () => result.current,
    goOffline: () => void (isOnline = false),
    async request() {
      act(() => void result.current.onRequest('go'))
      await pass(60)
    },
  }
}

const cut = { cutAfterChunks: 2 }
const never = { cutAfterChunks: 0 }
const status = () => screen.getByRole('status').textContent

describe('the badge of a connection', () => {
  it('says which attempt is under way, and where the run was taken up again', async () => {
    const { agent, wrapper, request, pass, last } = setUp((index) => [cut, never][index] ?? {})
    last.open()
    render(<ConnectionBadge agent={agent} sessionId="s1" />, { wrapper })
    expect(status()).toBe('Idle')
    await request()
    expect(status()).toBe('Reconnecting, attempt 1 of 3')
    await pass(500)
    expect(status()).toBe('Reconnecting, attempt 2 of 3')
    await pass(1000)
    expect(status()).toBe('Connected, resumed at event 2')
  })

  it('is not contradicted by what was being written, which waits until it is back', async () => {
    const { agent, wrapper, request, pass, last } = setUp((index) => [cut, never][index] ?? {})
    last.open()
    const { container } = render(<AgentTimeline agent={agent} sessionId="s1" />, { wrapper })
    const badge = () => container.querySelector('.agent-message .agent-status')?.textContent
    await request()
    expect(badge()).toBe('Connection lost')
    expect(container.querySelector('svg[data-status=streaming]')).toBeNull()
    await pass(1500)
    expect(badge()).toBe('Writing')
  })

  it('says that the network is waited for', async () => {
    const { agent, wrapper, request, goOffline } = setUp(() => cut)
    render(<ConnectionBadge agent={agent} sessionId="s1" locale={zhCN} />, { wrapper })
    goOffline()
    await request()
    expect(status()).toBe('重新连接中，等待网络恢复')
  })

  it('renders for what it shows, and not for each batch', async () => {
    const { agent, wrapper, request, pass, last, store } = setUp(() => ({}))
    let renders = 0
    const { result } = renderHook(
      () => {
        renders += 1
        return agent.useConnection({ runId: 'r1' })
      },
      { wrapper },
    )
    await request()
    const rendered = renders
    expect(result.current).toMatchObject({ runId: 'r1', providerId: 'scripted', state: 'connected', detached: false })
    const batches = vi.fn<() => void>()
    const unsubscribe = store.subscribe(batches)
    last.open()
    await pass(60)
    unsubscribe()
    expect(batches).toHaveBeenCalled()
    expect(agent.selectors.selectRunConnection(store.getState(), 'r1')?.cursor).toBe('3')
    expect(renders).toBe(rendered)
  })

  it('has words for every detail in both languages', () => {
    for (const { connectionDetail } of [enUS, zhCN]) {
      const said = [
        connectionDetail.attempt('x', { attempt: 1, maxAttempts: 3 }),
        connectionDetail.offline('x'),
        connectionDetail.resumed('x', 7),
      ]
      expect(new Set(said).size).toBe(3)
      for (const words of said) expect(words.startsWith('x')).toBe(true)
    }
  })
})

describe('useXChat', () => {
  it('takes its runs up again its own way', async () => {
    const { request, chat, pass, agent, wrapper } = setUp(() => cut, { reconnect: { maxAttempts: 1, initialDelay: 70 } })
    render(<ConnectionBadge agent={agent} sessionId="s1" />, { wrapper })
    await request()
    expect(chat().connectionState).toBe('reconnecting')
    expect(status()).toBe('Reconnecting, attempt 1 of 1')
    await pass(70)
    expect(chat().connectionState).not.toBe('connected')
  })

  it('continues a run that is lost, by hand', async () => {
    const { request, chat, pass, last } = setUp((index) => [cut][index] ?? {}, { reconnect: false })
    last.open()
    await request()
    expect(chat().connectionState).toBe('unrecoverable')
    const { resume } = chat()
    act(() => void resume())
    await pass(60)
    expect(chat()).toMatchObject({ connectionState: 'connected', isRequesting: true })
    expect(chat().messages.map(({ message }) => message.content)).toEqual(['Hello'])
    expect(chat().resume).toBe(resume)
  })

  it('continues a run that was let go of', async () => {
    const { request, chat, pass, last } = setUp(() => ({}))
    await request()
    act(() => chat().abort())
    last.open()
    expect(chat()).toMatchObject({ connectionState: 'idle', isRequesting: false })
    expect(chat().messages.map((info) => info.status)).toEqual(['abort'])
    act(() => void chat().resume())
    await pass(60)
    expect(chat()).toMatchObject({ connectionState: 'connected', isRequesting: true })
    expect(chat().messages.map((info) => info.status)).toEqual(['updating'])
  })

  it('says that there is nothing to continue', async () => {
    const { chat } = setUp(() => ({}))
    await expect(chat().resume().unwrap()).rejects.toMatchObject({ code: 'missing_run' })
  })
})
