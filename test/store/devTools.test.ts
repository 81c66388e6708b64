import { configureStore } from '@reduxjs/toolkit'
import { getReceivedEvents } from 'redux-agent'
import { describe, expect, it } from 'vitest'
import { createHarness } from './createHarness.ts'
import { createRun, createShortRun } from './createRunEvents.ts'

describe('the sanitizers for DevTools', () => {
  const { agent, store } = createHarness()
  const { actionSanitizer, stateSanitizer } = agent.devTools
  const run = createRun('r1')

  it('name in a batch’s type what it holds, and leave the action itself as it is', () => {
    const action = agent.events.eventsReceived({ sessionId: 's1', events: createShortRun('r1') }, 3)
    const shown = actionSanitizer(action, 1)
    expect(shown.type).toBe(
      'agent/eventsReceived (6: run.started, message.started, message.delta ×2, message.completed, run.completed)',
    )
    expect(shown.payload).toEqual(action.payload)
    expect(action.type).toBe('agent/eventsReceived')
  })

  it('leave every other action alone', () => {
    const action = { type: 'todos/added', payload: 'x'.repeat(9000) }
    expect(actionSanitizer(action, 1)).toBe(action)
  })

  it('cut long text for display, in actions and in the runtime’s state', () => {
    const text = 'x'.repeat(5000)
    const events = [
      run.create('run.started', { input: { list: [text, null, 3] } }),
      run.create('message.started', { messageId: 'm', role: 'user', content: text }),
    ]
    const action = agent.events.eventsReceived({ sessionId: '__proto__', events }, 1)
    const cut = `${'x'.repeat(2000)}… (5000)`
    expect(getReceivedEvents(actionSanitizer(action, 1))[0]!.payload).toEqual({ input: { list: [cut, null, 3] } })
    store.dispatch(action)
    const root = { ...store.getState(), todos: [text] }
    const shown = stateSanitizer(root, 0)
    expect(shown.todos).toBe(root.todos)
    expect(JSON.stringify(shown.agent).length).toBeLessThan(6000)
    expect(Object.keys(shown.agent.agentState.sessions)).toEqual(['__proto__'])
    expect(agent.selectors.selectMessages(store.getState(), '__proto__')[0]!.message.content).toBe(text)
  })

  it('leave a state alone that does not hold the runtime', () => {
    for (const state of [{ todos: [] }, null, 7, undefined]) expect(stateSanitizer(state, 0)).toBe(state)
  })

  it('are what configureStore takes', () => {
    const options = { devTools: agent.devTools, reducer: { agent: agent.reducer } }
    expect(configureStore(options).getState().agent.agentState.sessions).toEqual({})
  })
})
