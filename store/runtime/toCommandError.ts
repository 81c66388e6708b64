import { isApprovalDecision } from '../../src/protocol/payloads/approvalPayloads.ts'
import { AgentCommandRunnerError } from '../../src/provider/agentCommandRunnerError.ts'
import { AgentProtocolError } from '../../src/state/agentProtocolError.ts'
import { AgentRuntimeError } from '../agentRuntimeError.ts'
import type { AgentCommandError } from '../commandStates/agentCommandState.ts'
import { describeError } from '../../src/provider/describeError.ts'

/** Says of a failed command what may stand in state (RFC, sections 8 and 16). */
export function toCommandError(error: unknown): AgentCommandError {
  const { message, retryable, code: reason } = describeError(error)
  const code = toCode(error)
  const decision = (error as { decision?: unknown } | null | undefined)?.decision
  return {
    code,
    message,
    retryable: isProtocolFault(error) ? false : retryable,
    ...(reason !== code && { reason }),
    ...(isApprovalDecision(decision) && { decision }),
  }
}

// Whatever such an error says of itself: what breaks the protocol once breaks it again.
const isProtocolFault = (error: unknown) =>
  error instanceof AgentCommandRunnerError || error instanceof AgentProtocolError

function toCode(error: unknown): AgentCommandError['code'] {
  if (error instanceof AgentCommandRunnerError) return error.code
  if (error instanceof AgentProtocolError) return 'protocol_error'
  return error instanceof AgentRuntimeError && error.code === 'interrupted' ? 'interrupted' : 'provider_error'
}
