import { configureStore, type Store, type StoreEnhancer, type UnknownAction } from '@reduxjs/toolkit'
import { ActionCreators, instrument, type LiftedState } from '@redux-devtools/instrument'
import { act, cleanup, renderHook } from '@testing-library/react'
import { StrictMode, type ReactNode } from 'react'
import { Provider } from 'react-redux'
import { createAgentEventFactory, createMemoryAgentCheckpointStorage, type AgentCheckpointStorage } from 'redux-agent'
import { createAgentRuntime } from 'redux-agent/react'
import { createScriptedProvider } from 'redux-agent/testing'
import { afterEach, describe, expect, it, vi } from 'vitest'

afterEach(cleanup)

/** A page with DevTools, and a session of a page before it in the storage. */
async function createPage(storage: AgentCheckpointStorage, runId: string) {
  const provider = createScriptedProvider<{ sessionId: string }>({
    steps: ({ sessionId }) => {
      const run = createAgentEventFactory({ runId, sessionId, initialSequence: 0, now: () => 1 })
      return [
        {
          events: [
            run.create('run.started', {}),
            run.create('message.started', { messageId: 'm', role: 'assistant', content: 'Hello' }),
            run.create('message.completed', { messageId: 'm' }),
            run.create('run.completed', {}),
          ],
        },
      ]
    },
  })
  const agent = createAgentRuntime({ environment: { createId: () => runId }, providers: [provider] })
  const store = configureStore({
    reducer: { [agent.reducerPath]: agent.reducer },
    middleware: (getDefault) => getDefault().concat(agent.middleware),
    enhancers: (getDefault) => getDefault().concat(instrument() as StoreEnhancer),
    devTools: false,
  })
  const lifted = (store as unknown as { liftedStore: Store<LiftedState<unknown, UnknownAction, null>> }).liftedStore
  const jump = (index: number) => act(async () => void lifted.dispatch(ActionCreators.jumpToState(index) as never))
  const open = (sessionId: string) =>
    store.dispatch(agent.actions.openSession({ sessionId, checkpointStorage: storage })).unwrap()
  const start = (sessionId: string) =>
    store.dispatch(agent.actions.startRun({ sessionId, provider: 'scripted', input: { sessionId } })).unwrap()
  const wrapper = ({ children }: { children: ReactNode }) => (
    <StrictMode>
      <Provider store={store}>{children}</Provider>
    </StrictMode>
  )
  const show = (sessionId: string) =>
    renderHook(() => agent.useXChat({ provider, conversationKey: sessionId, checkpointStorage: storage }), { wrapper })
  return {
    open,
    start,
    show,
    toPast: () => jump(1),
    toPresent: () => jump(lifted.getState().stagedActionIds.length - 1),
  }
}

describe('useXChat that is mounted while DevTools shows a past state', () => {
  it('reads nothing then, and restores its session once the present is shown', async () => {
    const storage = createMemoryAgentCheckpointStorage()
    const before = await createPage(storage, 'r1')
    await before.open('s1')
    await before.start('s1')

    const load = vi.fn(storage.load)
    const page = await createPage({ ...storage, load }, 'r2')
    await page.start('s2')
    await page.toPast()
    const hook = page.show('s1')
    await act(async () => undefined)
    expect(load).not.toHaveBeenCalled()
    await page.toPast()
    expect(load).not.toHaveBeenCalled()
    await page.toPresent()
    await act(async () => undefined)
    expect(load).toHaveBeenCalledTimes(1)
    expect(hook.result.current.messages.map(({ message }) => message.content)).toEqual(['Hello'])
  })

  it('reads nothing once it is gone', async () => {
    const storage = createMemoryAgentCheckpointStorage()
    const load = vi.fn(storage.load)
    const page = await createPage({ ...storage, load }, 'r2')
    await page.start('s2')
    await page.toPast()
    const hook = page.show('s1')
    await act(async () => undefined)
    hook.unmount()
    await page.toPresent()
    expect(load).not.toHaveBeenCalled()
  })
})
