import { useSelector } from 'react-redux'
import type { AgentCommandType } from '../../src/protocol/agentCommand.ts'
import type { AgentCommandState } from '../../store/commandStates/agentCommandState.ts'
import type { AgentRootState } from '../../store/runtime/agentSlice.ts'
import type { HookRuntime } from '../hookRuntime.ts'

/** Gives what became of an action's newest command; `entityId` is the approval's or the tool call's id. */
export function useCommandState(
  { selectors }: HookRuntime,
  action: { runId: string; type: AgentCommandType; entityId?: string },
): AgentCommandState | undefined {
  return useSelector((root: AgentRootState<string>) => selectors.selectCommandForAction(root, action))
}
