import type { AgentCommand } from '../../src/protocol/agentCommand.ts'
import { isAgentCommand } from '../../src/protocol/isAgentCommand.ts'
import { isJsonValue } from '../../src/protocol/isJsonValue.ts'
import { isRecord } from '../../src/protocol/predicates.ts'
import type { AgentCommandError } from './agentCommandState.ts'

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
