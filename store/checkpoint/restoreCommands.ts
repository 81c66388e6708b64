import type { AgentCommand } from '../../src/protocol/agentCommand.ts'
import { getAgentCommandActionKey } from '../../src/protocol/getAgentCommandActionKey.ts'
import { getAgentCommandKey } from '../../src/protocol/getAgentCommandKey.ts'
import type { AgentState } from '../../src/state/agentState.ts'
import type { AgentCommandState } from '../commandStates/agentCommandState.ts'
import type { AgentSessionCommands } from '../commandStates/createCommandStatesReducer.ts'
import { pageLeft } from '../commandStates/pageLeft.ts'
import { isCommandGranted } from '../commandStates/isCommandGranted.ts'

/** What became of these commands is not known: they may be sent again, by a person alone (RFC, section 12.1). */
export function restoreCommands(
  known: AgentSessionCommands,
  { state, commands, at }: { state: AgentState; commands: readonly AgentCommand[]; at: number },
): AgentSessionCommands {
  const interrupted = commands
    .filter((command) => !isCommandGranted(state, command))
    .map((command): AgentCommandState => ({
      command,
      key: getAgentCommandKey(command),
      status: 'failed',
      error: pageLeft,
      createdAt: at,
      updatedAt: at,
    }))
  const byKey = interrupted.map((entry) => [entry.key, entry] as const)
  const byAction = interrupted.map(({ command, key }) => [getAgentCommandActionKey(command), key] as const)
  return {
    ...known,
    commandStates: { ...Object.fromEntries(byKey), ...known.commandStates },
    latestCommandByAction: { ...Object.fromEntries(byAction), ...known.latestCommandByAction },
  }
}
