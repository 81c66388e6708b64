import { useSelector } from 'react-redux'
import type { AgentCommandType } from '../../src/protocol/agentCommand.ts'
import type { AgentRootState } from '../../store/runtime/agentSlice.ts'
import type { HookRuntime } from '../hookRuntime.ts'
import type { ProviderCapabilities } from './createProviderCapabilities.ts'

/** Says whether a run takes a command from here: one that is followed takes none, an unknown provider's any. */
export function useCommandSupport(
  { selectors, supportsCommand }: Pick<HookRuntime, 'selectors'> & Pick<ProviderCapabilities, 'supportsCommand'>,
  { runId, type }: { runId: string; type: AgentCommandType },
): boolean {
  return useSelector((root: AgentRootState<string>) => {
    const { providerId, isFollowed = false } = selectors.selectRunConnection(root, runId) ?? {}
    if (isFollowed) return false
    return providerId === undefined || supportsCommand(providerId, type)
  })
}
