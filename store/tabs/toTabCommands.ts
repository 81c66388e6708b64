import type { AgentSessionCommands } from '../commandStates/createCommandStatesReducer.ts'
import type { TabCommandsSaid } from './tabCommandsSchema.ts'

/** A session's commands as its owner tells them. */
export function toTabCommands({ commandStates, latestCommandByAction, endedRuns }: AgentSessionCommands): TabCommandsSaid {
  const states = Object.values(commandStates)
  return { states, latest: Object.values(latestCommandByAction), endedRuns: [...endedRuns] }
}
