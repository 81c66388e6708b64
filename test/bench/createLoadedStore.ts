import { configureStore } from '@reduxjs/toolkit'
import { createAgentEventFactory, createAgentRuntime, type AgentEvent, type AgentRuntime } from 'redux-agent'

const sessionId = 'conversation-1'

/** What such a store holds. */
type LoadedState = { agent: ReturnType<AgentRuntime<'agent'>['reducer']> }

/**
 * A real store with a runtime in it: `settled` entities of ended runs and `active` ones of a running run, or the state
 * of another such store, so that what is measured does not pay for the garbage of loading.
 */
export function createLoadedStore(
  options: { settled?: number; active?: number; preloadedState?: LoadedState; agent?: AgentRuntime<'agent'> } = {},
) {
  const { agent = createAgentRuntime({ reducerPath: 'agent' }), preloadedState } = options
  const store = configureStore({
    reducer: { agent: agent.reducer },
    preloadedState,
    middleware: (getDefault) => getDefault().concat(agent.middleware),
  })
  let { batch } = store.getState().agent.agentState
  const receive = (events: readonly AgentEvent[]) => {
    batch += 1
    store.dispatch(agent.events.eventsReceived({ sessionId, events }, batch))
  }
  for (let left = options.settled ?? 0, index = 0; left > 0; left -= 500, index += 1) {
    receive(createMessages({ runId: `settled-${index}`, count: Math.min(left, 500), ends: true }))
  }
  if (options.active) receive(createMessages({ runId: 'active-0', count: options.active, ends: false }))
  return { store, receive }
}

function createMessages(options: { runId: string; count: number; ends: boolean }): AgentEvent[] {
  const { runId, count, ends } = options
  const factory = createAgentEventFactory({ sessionId, runId, now: () => 1 })
  const events: AgentEvent[] = [factory.create('run.started', {})]
  for (let index = 0; index < count; index += 1) {
    const messageId = `message-${index}`
    events.push(factory.create('message.started', { messageId, role: 'assistant', content: 'word '.repeat(40) }))
    events.push(factory.create('message.completed', { messageId }))
  }
  if (ends) events.push(factory.create('run.completed', {}))
  return events
}

/** Cuts a list into batches. */
export function toBatches<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  )
}
