import type { AgentCommand } from '../../src/protocol/agentCommand.ts'
import { getAgentCommandKey } from '../../src/protocol/getAgentCommandKey.ts'
import { isFilled, isRecord } from '../../src/protocol/predicates.ts'
import type { AgentCommandState } from './agentCommandState.ts'
import { isCommandChange } from './isCommandChange.ts'
import { isCommandError } from './isCommandError.ts'

/** Says whether a value is what became of a command. */
export function isCommandState(value: unknown): value is AgentCommandState {
  if (!isRecord(value)) return false
  const { command, key, status, error, createdAt, updatedAt, tabId } = value
  const isSound = status === 'failed' ? isCommandError(error) : error === undefined
  const isKnown = status === 'submitting' || status === 'succeeded' || status === 'failed'
  const isTimed = Number.isFinite(createdAt) && isCommandChange({ command, at: updatedAt })
  return isSound && isKnown && isTimed && key === getAgentCommandKey(command as AgentCommand) && isTab(tabId)
}

const isTab = (tabId: unknown) => tabId === undefined || isFilled(tabId)
