import { getAgentCommandActionKey } from '../../src/protocol/getAgentCommandActionKey.ts'
import type { AgentCommandState } from '../commandStates/agentCommandState.ts'
import type { AgentSessionCommands } from '../commandStates/createCommandStatesReducer.ts'
import type { TabCommandsSaid } from './tabCommandsSchema.ts'

/** Reads the commands that the owner of a session told this tab of. */
export function fromTabCommands(
  { states, latest, endedRuns }: TabCommandsSaid,
  { owner, tabId }: { owner: string; tabId: string },
): AgentSessionCommands {
  const known = states.map((state): AgentCommandState => {
    const { tabId: sender = owner, ...rest } = state
    return sender === tabId ? rest : { ...rest, tabId: sender }
  })
  const newest = known.filter(({ key }) => latest.includes(key))
  return {
    commandStates: Object.fromEntries(known.map((state) => [state.key, state])),
    latestCommandByAction: Object.fromEntries(newest.map(({ command, key }) => [getAgentCommandActionKey(command), key])),
    endedRuns,
  }
}
