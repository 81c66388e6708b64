import { useMemo } from 'react'
import type { HookRuntime } from '../hookRuntime.ts'
import type { AgentActions } from './agentActions.ts'
import { useThunkDispatch } from './useThunkDispatch.ts'

/** Gives the actions, the same object at each render. */
export function useAgentActions({ actions }: HookRuntime): AgentActions {
  const dispatch = useThunkDispatch()
  return useMemo<AgentActions>(
    () => ({
      resolveApproval: (input) => dispatch(actions.resolveApproval(input)).unwrap(),
      retryTool: (input) => dispatch(actions.retryTool(input)).unwrap(),
      cancelRun: (input) => dispatch(actions.cancelRun(input)).unwrap(),
    }),
    [dispatch, actions],
  )
}
