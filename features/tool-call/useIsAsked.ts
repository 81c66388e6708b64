import { useCallback, useContext, useSyncExternalStore } from 'react'
import { ReactReduxContext, useStore } from 'react-redux'
import type { AgentToolCallState } from '../../src/state/entities/agentToolCallState.ts'
import type { AgentRootState } from '../../store/runtime/agentSlice.ts'
import type { HookRuntime } from '../hookRuntime.ts'

const subscribeToNothing = () => () => undefined

/** Says whether an approval asks the person about a tool call; looked for only while `isWatching`. */
export function useIsAsked(
  { selectors }: HookRuntime,
  { runId, id }: AgentToolCallState,
  isWatching: boolean,
): boolean {
  const store = useStore<AgentRootState<string>>()
  const context = useContext(ReactReduxContext)
  const read = (root: AgentRootState<string>) => {
    if (!isWatching) return false
    // A call that is not over stands in the active part, and with it what asks about it.
    const sessionId = selectors.selectRun(root, { runId })?.sessionId
    const session = sessionId === undefined ? undefined : selectors.selectSession(root, sessionId)
    const approvals = session?.active.approvals ?? {}
    return Object.values(approvals).some((approval) => approval.runId === runId && approval.toolCallId === id)
  }
  const subscribe = useCallback((listener: () => void) => store.subscribe(listener), [store])
  return useSyncExternalStore(
    isWatching ? subscribe : subscribeToNothing,
    () => read(store.getState()),
    () => read((context?.getServerState ?? store.getState)() as AgentRootState<string>),
  )
}
