import type { UnknownAction } from '@reduxjs/toolkit'
import { readBatch } from '../batch/readBatch.ts'
import type { AgentReduxActions } from '../runtime/createAgentReduxActions.ts'

/** Options for Redux DevTools that keep its panel readable and its messages small. */
export interface AgentDevTools {
  actionSanitizer<Action extends UnknownAction>(action: Action, id: number): Action
  stateSanitizer<State>(state: State, index: number): State
}

const maxText = 2000

/** Makes the sanitizers: a batch's type tells what it holds, and long text is cut for display alone. */
export function createDevTools(options: { reducerPath: string; actions: AgentReduxActions }): AgentDevTools {
  const { reducerPath, actions } = options
  return {
    actionSanitizer(action) {
      const received = readBatch(actions, action)
      if (!received) return action
      const { events } = received
      const counts = new Map<string, number>()
      for (const { type } of events) counts.set(type, (counts.get(type) ?? 0) + 1)
      const summary = [...counts].map(([type, count]) => (count > 1 ? `${type} ×${count}` : type)).join(', ')
      return { ...(shorten(action) as typeof action), type: `${action.type} (${events.length}: ${summary})` }
    },
    stateSanitizer(state) {
      if (typeof state !== 'object' || state === null || !(reducerPath in state)) return state
      const root = state as Record<string, unknown>
      return { ...root, [reducerPath]: shorten(root[reducerPath]) } as typeof state
    },
  }
}

function shorten(value: unknown): unknown {
  if (typeof value === 'string') return value.length > maxText ? `${value.slice(0, maxText)}… (${value.length})` : value
  if (Array.isArray(value)) return value.map(shorten)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, shorten(entry)]))
}
