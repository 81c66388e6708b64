import { useSelector } from 'react-redux'
import type { AgentConnectionState } from '../../store/connection/agentRunConnection.ts'
import type { AgentRootState } from '../../store/runtime/agentSlice.ts'
import type { HookRuntime } from '../hookRuntime.ts'

/** Gives where the wire of a run, or of a session's latest run, stands (RFC, section 11.3). */
export function useConnectionState(
  { selectors }: HookRuntime,
  of: { sessionId: string } | { runId: string },
): AgentConnectionState {
  return useSelector((root: AgentRootState<string>) => selectors.selectConnectionState(root, of))
}
