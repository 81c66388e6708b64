import { useCallback, useContext, useSyncExternalStore } from 'react'
import { ReactReduxContext, useStore } from 'react-redux'
import type { AgentToolCallState } from '../../src/state/entities/agentToolCallState.ts'
import type { AgentRootState } from '../../store/runtime/agentSlice.ts'
import type { HookRuntime } from '../hookRuntime.ts'
import { getQuestion, type ToolQuestion } from './getQuestion.ts'

const subscribeToNothing = () => () => undefined

/** Says how the approval stands that asks the person about a tool call; looked for only while `isWatching`. */
export function useToolQuestion(
  { selectors }: HookRuntime,
  toolCall: AgentToolCallState,
  isWatching: boolean,
): ToolQuestion | undefined {
  const store = useStore<AgentRootState<string>>()
  const context = useContext(ReactReduxContext)
  const read = (root: AgentRootState<string>) => {
    if (!isWatching) return undefined
    // A call that is not over stands in the active part, and with it what asks about it.
    const sessionId = selectors.selectRun(root, { runId: toolCall.runId })?.sessionId
    const session = sessionId === undefined ? undefined : selectors.selectSession(root, sessionId)
    return session && getQuestion(session.active.approvals, toolCall)
  }
  const subscribe = useCallback((listener: () => void) => store.subscribe(listener), [store])
  return useSyncExternalStore(
    isWatching ? subscribe : subscribeToNothing,
    () => read(store.getState()),
    () => read((context?.getServerState ?? store.getState)() as AgentRootState<string>),
  )
}
