import type { UnknownAction } from '@reduxjs/toolkit'
import { AgentRuntimeError } from '../agentRuntimeError.ts'
import type { StoreRuntime } from './createStoreRuntime.ts'
import { readAgentSlice } from './readAgentSlice.ts'

/**
 * Gives the runtime of the store that an RTK Query endpoint works in, by its path: its middleware answers.
 *
 * @throws AgentRuntimeError (`middleware_missing`, `reducer_missing`, `path_taken`) with what to add to the store.
 */
export function locateRuntime(
  store: { dispatch: (action: UnknownAction) => unknown; getState: () => unknown },
  reducerPath: string,
): StoreRuntime {
  const answer = store.dispatch({ type: `${reducerPath}/runtimeRequested` })
  if (isStoreRuntime(answer)) return answer
  const slice = readAgentSlice(store.getState(), reducerPath)
  const line = slice
    ? 'middleware: (getDefault) => getDefault().concat(agent.middleware)'
    : '[agent.reducerPath]: agent.reducer, and agent.middleware'
  const message = `This store has no agent runtime at "${reducerPath}". Add ${line}, or name its path as reducerPath.`
  throw new AgentRuntimeError(slice ? 'middleware_missing' : 'reducer_missing', message)
}

function isStoreRuntime(value: unknown): value is StoreRuntime {
  return typeof value === 'object' && value !== null && 'runner' in value && 'follower' in value
}
