import type { AgentCommand } from '../../src/protocol/agentCommand.ts'
import { getAgentCommandKey } from '../../src/protocol/getAgentCommandKey.ts'
import { isAgentCommand } from '../../src/protocol/isAgentCommand.ts'
import { isJsonValue } from '../../src/protocol/isJsonValue.ts'
import { isFilled, isRecord } from '../../src/protocol/predicates.ts'
import type { AgentCommandError, AgentCommandState } from './agentCommandState.ts'

/** What an action says of a command. */
export interface CommandChange {
  readonly command: AgentCommand
  /** In milliseconds. */
  readonly at: number
}

/** Says whether an action's payload is about a command: the runtime makes no other, one from elsewhere may hold anything. */
export function isCommandChange(payload: unknown): payload is CommandChange {
  return isRecord(payload) && isAgentCommand(payload.command) && Number.isFinite(payload.at)
}

/** Says whether a command failed by what may stand in state. */
export function isCommandFailure(payload: unknown): payload is CommandChange & { readonly error: AgentCommandError } {
  return isCommandChange(payload) && isCommandError((payload as { error?: unknown }).error)
}

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

const codes: Readonly<Record<AgentCommandError['code'], true>> = {
  unsupported_capability: true,
  invalid_command: true,
  provider_error: true,
  protocol_error: true,
  interrupted: true,
}

function isCommandError(error: unknown): error is AgentCommandError {
  if (!isRecord(error) || !isJsonValue(error)) return false
  const { code, message, retryable } = error
  return (
    typeof code === 'string' && Object.hasOwn(codes, code) && typeof message === 'string' && typeof retryable === 'boolean'
  )
}
