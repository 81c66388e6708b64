import { useSelector } from 'react-redux'
import type { AgentCommandType } from '../../src/protocol/agentCommand.ts'
import type { AgentRootState } from '../../store/runtime/agentSlice.ts'
import type { HookRuntime } from '../hookRuntime.ts'
import type { ProviderCapabilities } from './createProviderCapabilities.ts'

/** Says whether the provider of a run takes a command; yes, where the provider is not known here. */
export function useCommandSupport(
  { selectors, supportsCommand }: Pick<HookRuntime, 'selectors'> & Pick<ProviderCapabilities, 'supportsCommand'>,
  { runId, type }: { runId: string; type: AgentCommandType },
): boolean {
  return useSelector((root: AgentRootState<string>) => {
    const providerId = selectors.selectRunConnection(root, runId)?.providerId
    return providerId === undefined || supportsCommand(providerId, type)
  })
}
