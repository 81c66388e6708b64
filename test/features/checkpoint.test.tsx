import { configureStore } from '@reduxjs/toolkit'
import { act, cleanup, render, renderHook, screen } from '@testing-library/react'
import { StrictMode, type ReactNode } from 'react'
import { Provider } from 'react-redux'
import {
  createAgentEventFactory,
  createMemoryAgentCheckpointStorage,
  type AgentCheckpointStorage,
  type AgentEnvironment,
} from 'redux-agent'
import { AgentTimeline, ConnectionBadge, createAgentRuntime, enUS, type XChatOptions } from 'redux-agent/react'
import { createGate, createScriptedProvider, type ScriptedProviderOptions } from 'redux-agent/testing'
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
  run.create('message.completed', { messageId: 'm', content: 'Hello' }),
  run.create('run.completed', {}),
]

/** A page whose run stops after its second event until the gate opens. */
function setUp(options: Partial<XChatOptions<unknown, unknown>>, steps?: ScriptedProviderOptions<unknown>['steps']) {
  const gate = createGate()
  const hidden = new Set<() => void>()
  const provider = createScriptedProvider({
    steps: steps ?? [
      ...log.slice(0, 2).map((event) => ({ events: [event] })),
      { gate },
      ...log.slice(2).map((event) => ({ events: [event] })),
    ],
    capabilities: { resumable: true, sequence: 'dense' },
  })
  const environment: Partial<AgentEnvironment> = {
    createId: () => 'r1',
    requestFrame: undefined,
    yieldToHost: (callback) => void setTimeout(callback),
    onHide(callback) {
      hidden.add(callback)
      return () => void hidden.delete(callback)
    },
  }
  // The provider is the hook's alone: a reload knows it by the hook again.
  const agent = createAgentRuntime({ environment })
  const store = configureStore({
    reducer: { [agent.reducerPath]: agent.reducer },
    middleware: (getDefault) => getDefault().concat(agent.middleware),
  })
  const wrapper = ({ children }: { children: ReactNode }) => (
    <StrictMode>
      <Provider store={store}>{children}</Provider>
    </StrictMode>
  )
  const hook = renderHook(
    () => agent.useXChat({ provider, conversationKey: 's1', ...(options as object) }),
    { wrapper },
  )
  return {
    agent,
    wrapper,
    gate,
    provider,
    chat: () => hook.result.current,
    unmount: hook.unmount,
    pass: (time: number) => act(() => vi.advanceTimersByTimeAsync(time)),
    hide: () => [...hidden].forEach((callback) => callback()),
  }
}

/** Begins the run in a page that goes while it is at work. */
async function leaveRunning(checkpointStorage: AgentCheckpointStorage) {
  const page = setUp({ checkpointStorage })
  await page.pass(0)
  act(() => void page.chat().onRequest('go'))
  await page.pass(100)
  page.hide()
  page.unmount()
}

describe('useXChat with a checkpointStorage', () => {
  it('opens the session once, under StrictMode too, shows the default messages meanwhile, and then what was kept', async () => {
    const storage = createMemoryAgentCheckpointStorage()
    await leaveRunning(storage)

    let open!: () => void
    const load = vi.fn(async (sessionId: string) => {
      await new Promise<void>((resolve) => (open = resolve))
      return storage.load(sessionId)
    })
    const slow: AgentCheckpointStorage = { ...storage, load }
    const defaultMessages = [{ message: { role: 'assistant' as const, content: 'Welcome' } }]
    const second = setUp({ checkpointStorage: slow, defaultMessages })
    render(<ConnectionBadge agent={second.agent} sessionId="s1" />, { wrapper: second.wrapper })
    expect(load).toHaveBeenCalledTimes(1)
    expect(second.chat().connectionState).toBe('restoring')
    expect(screen.getByRole('status').textContent).toBe(enUS.connection.restoring)
    expect(second.chat().messages.map(({ message }) => message.content)).toEqual(['Welcome'])
    open()
    await second.pass(100)
    expect(second.chat().messages).toHaveLength(2)
    expect(second.chat().isRequesting).toBe(true)
    second.gate.open()
    await second.pass(100)
    expect(second.chat().messages.map(({ message }) => message.content)).toEqual(['Welcome', 'Hello'])
    expect(second.chat().connectionState).toBe('idle')
    expect([second.provider.calls.opens, second.provider.calls.resumes].map(({ length }) => length)).toEqual([0, 1])
  })

  it('reads out neither what was kept nor what its run catches up with, and then what comes', async () => {
    const storage = createMemoryAgentCheckpointStorage()
    await leaveRunning(storage)
    const { create } = createAgentEventFactory({ runId: 'r1', sessionId: 's1', initialSequence: 2, now: () => 1 })
    const missed = [
      create('message.completed', { messageId: 'm', content: 'Missed' }),
      create('tool.requested', { toolCallId: 't', name: 'search' }),
      create('tool.completed', { toolCallId: 't' }),
      create('approval.requested', { approvalId: 'p', description: 'Publish' }),
    ]
    const later = [
      create('approval.resolved', { approvalId: 'p', decision: 'approved' }),
      create('message.started', { messageId: 'n', role: 'assistant', content: 'Later' }),
      create('message.completed', { messageId: 'n' }),
    ]
    const gate = createGate()
    const asStored = log.slice(0, 2)
    const before = [...asStored, ...missed].map((event) => ({ events: [event] }))
    const second = setUp({ checkpointStorage: storage }, [...before, { gate }, ...later.map((event) => ({ events: [event] }))])
    // It stands there, and is empty, before the session is restored.
    const { container } = render(<AgentTimeline agent={second.agent} sessionId="s1" />, { wrapper: second.wrapper })
    const said = () => container.querySelector('[aria-live]')!.textContent
    await second.pass(200)
    expect(screen.getByText('Missed')).toBeDefined()
    expect(said()).toBe('')
    await second.pass(1000)
    expect(said()).toBe('Approval needed: Publish')
    gate.open()
    await second.pass(100)
    expect(said()).toContain('Assistant: Later')
  })

  it('tells why a session could not be read, and goes on', async () => {
    const failing = { ...createMemoryAgentCheckpointStorage(), load: () => Promise.reject(new Error('No.')) }
    const { agent, wrapper, chat, pass, gate } = setUp({ checkpointStorage: failing })
    render(<ConnectionBadge agent={agent} sessionId="s1" />, { wrapper })
    await pass(0)
    expect(chat().connectionState).toBe('failed')
    expect(screen.getByRole('status').textContent).toBe('Not restored')
    expect(chat().checkpointError).toMatchObject({ code: 'load_failed' })
    act(() => void chat().onRequest('go'))
    gate.open()
    await pass(100)
    expect(chat().messages.map(({ message }) => message.content)).toEqual(['Hello'])
    expect(chat().connectionState).toBe('idle')
    expect(screen.getByRole('status').textContent).toBe(enUS.connection.idle)
  })

  it('keeps nothing of a session without a key', async () => {
    const storage = createMemoryAgentCheckpointStorage()
    const load = vi.spyOn(storage, 'load')
    const { pass } = setUp({ checkpointStorage: storage, conversationKey: undefined })
    await pass(0)
    expect(load).not.toHaveBeenCalled()
  })
})
