import type { AgentCommandError } from './agentCommandState.ts'
import { isCommandChange, type CommandChange } from './isCommandChange.ts'
import { isCommandError } from './isCommandError.ts'

/** Says whether a command failed by what may stand in state. */
export function isCommandFailure(payload: unknown): payload is CommandChange & { readonly error: AgentCommandError } {
  return isCommandChange(payload) && isCommandError((payload as { error?: unknown }).error)
}
