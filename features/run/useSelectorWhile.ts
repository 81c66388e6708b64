import { useContext, useSyncExternalStore } from 'react'
import { ReactReduxContext, useStore } from 'react-redux'
import type { AgentRootState } from '../../store/runtime/agentSlice.ts'

const subscribeToNothing = () => () => undefined

/**
 * Selects only while `isOn`; otherwise it gives `settled` and subscribes to nothing, so that a list of a thousand
 * finished rows costs a dispatch nothing.
 */
export function useSelectorWhile<Value>(
  isOn: boolean,
  select: (root: AgentRootState<string>) => Value,
  settled: Value,
): Value {
  const store = useStore<AgentRootState<string>>()
  const context = useContext(ReactReduxContext)
  const read = () => (isOn ? select(store.getState()) : settled)
  // Hydration renders what the server did, from the state that the server sent.
  const readServer = () => (isOn ? select((context?.getServerState ?? store.getState)() as never) : settled)
  return useSyncExternalStore(isOn ? store.subscribe : subscribeToNothing, read, readServer)
}
