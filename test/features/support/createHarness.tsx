import { combineReducers, configureStore } from '@reduxjs/toolkit'
import { act } from '@testing-library/react'
import type { ReactNode } from 'react'
import { Provider } from 'react-redux'
import type { AgentCommandType } from 'redux-agent'
import { createAgentRuntime } from 'redux-agent/react'
import { vi } from 'vitest'
import { createScriptedProvider, type Wire } from './createScriptedProvider.ts'

/** An app with an agent, in one store, with time in the test's hands: call `vi.useFakeTimers()` before. */
export function createHarness(options: { commands?: readonly AgentCommandType[]; maxSettledRuns?: number } = {}) {
  const scripted = createScriptedProvider(options)
  let lastId = 0
  const agent = createAgentRuntime({
    providers: [scripted.provider],
    maxSettledRuns: options.maxSettledRuns,
    environment: {
      createId: () => `id${(lastId += 1)}`,
      now: () => Date.now(),
      // Deltas then wait for the timer, which the test moves on.
      requestFrame: undefined,
    },
  })
  const reducer = combineReducers({ count: (state: number = 0) => state, [agent.reducerPath]: agent.reducer })
  const createStore = (preloadedState?: ReturnType<typeof reducer>) =>
    configureStore({
      reducer,
      middleware: (getDefault) => getDefault().concat(agent.middleware),
      preloadedState,
    })
  const store = createStore()
  const wrapper = ({ children }: { children: ReactNode }) => <Provider store={store}>{children}</Provider>

  /** Lets all that is under way arrive: in the store, and on the page. */
  const settle = () => act(() => vi.advanceTimersByTimeAsync(60))

  async function start(sessionId = 's1', input: unknown = { text: 'Hello' }): Promise<Wire> {
    await act(async () => {
      store.dispatch(agent.actions.startRun({ sessionId, provider: 'scripted', input }))
      await vi.advanceTimersByTimeAsync(60)
    })
    return scripted.wires.at(-1)!
  }

  return { agent, store, createStore, wrapper, scripted, settle, start }
}
