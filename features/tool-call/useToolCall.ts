import { useSelector } from 'react-redux'
import type { AgentToolCallState } from '../../src/state/entities/agentToolCallState.ts'
import type { AgentRootState } from '../../store/runtime/agentSlice.ts'
import type { HookRuntime } from '../hookRuntime.ts'

/** Gives a tool call, and renders again only when it changes. */
export function useToolCall(
  { selectors }: HookRuntime,
  ids: { runId: string; toolCallId: string },
): AgentToolCallState | undefined {
  return useSelector((root: AgentRootState<string>) => selectors.selectToolCall(root, ids))
}
