import { isJsonValue } from '../../src/protocol/isJsonValue.ts'
import { isRecord } from '../../src/protocol/predicates.ts'
import type { AgentCommandError } from './agentCommandState.ts'

const codes: Readonly<Record<AgentCommandError['code'], true>> = {
  unsupported_capability: true,
  invalid_command: true,
  provider_error: true,
  protocol_error: true,
  interrupted: true,
}

/** Says whether a value is why a command failed, as it may stand in state. */
export function isCommandError(error: unknown): error is AgentCommandError {
  if (!isRecord(error) || !isJsonValue(error)) return false
  const { code, message, retryable } = error
  return (
    typeof code === 'string' && Object.hasOwn(codes, code) && typeof message === 'string' && typeof retryable === 'boolean'
  )
}
