import { getAgentCommandActionKey } from '../../src/protocol/getAgentCommandActionKey.ts'
import { getOwn } from '../../src/state/ownRecord.ts'
import type { AgentCommandState } from '../commandStates/agentCommandState.ts'
import type { AgentSessionCommands } from '../commandStates/createCommandStatesReducer.ts'

/**
 * Joins a session's commands as this tab and its owner have them. Of each there is what was said last, but this tab
 * alone knows of one that it has under way; one that the owner does not know stays while its run goes on. Gives those
 * of this tab's own, too, that the others are still to be told of.
 */
export function mergeCommands(
  own: AgentSessionCommands,
  theirs: AgentSessionCommands,
  isRunning: (runId: string) => boolean,
): { commands: AgentSessionCommands; untold: readonly AgentCommandState[] } {
  const isUnderWay = ({ status, tabId }: AgentCommandState) => status === 'submitting' && tabId === undefined
  const kept = Object.values(own.commandStates).filter((state) => {
    const known = getOwn(theirs.commandStates, state.key)
    if (isUnderWay(state)) return true
    return known ? state.updatedAt > known.updatedAt : isRunning(state.command.runId)
  })
  const latest = kept
    .filter((state) => {
      const action = getAgentCommandActionKey(state.command)
      const isLatest = getOwn(own.latestCommandByAction, action) === state.key
      return isLatest && (isUnderWay(state) || !Object.hasOwn(theirs.latestCommandByAction, action))
    })
    .map(({ command, key }) => [getAgentCommandActionKey(command), key] as const)
  return {
    commands: {
      commandStates: { ...theirs.commandStates, ...Object.fromEntries(kept.map((state) => [state.key, state])) },
      latestCommandByAction: { ...theirs.latestCommandByAction, ...Object.fromEntries(latest) },
      endedRuns: theirs.endedRuns,
    },
    untold: kept.filter((state) => {
      const isTold = getOwn(theirs.commandStates, state.key)?.status === state.status
      return state.tabId === undefined && !isTold
    }),
  }
}
