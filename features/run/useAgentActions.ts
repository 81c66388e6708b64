import { useInsertionEffect, useMemo, useRef } from 'react'
import type { HookRuntime } from '../hookRuntime.ts'
import type { AgentActions } from './agentActions.ts'
import { useThunkDispatch } from './useThunkDispatch.ts'

/**
 * Gives the actions, the same object at each render. Those of a session refuse the runs of another one, the session
 * being the one that is shown when they are called.
 */
export function useAgentActions({ actions }: HookRuntime, sessionId?: string): AgentActions {
  const dispatch = useThunkDispatch()
  const shown = useRef(sessionId)
  useInsertionEffect(() => {
    shown.current = sessionId
  })
  return useMemo<AgentActions>(
    () => ({
      // A store that is not set up, or whose runtime is gone, throws: here all that is wrong is told by the promise.
      resolveApproval: async (input) =>
        dispatch(actions.resolveApproval({ ...input, sessionId: shown.current })).unwrap(),
      retryTool: async (input) => dispatch(actions.retryTool({ ...input, sessionId: shown.current })).unwrap(),
      cancelRun: async (input) => dispatch(actions.cancelRun({ ...input, sessionId: shown.current })).unwrap(),
    }),
    [dispatch, actions],
  )
}
