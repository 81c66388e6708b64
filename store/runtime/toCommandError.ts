import { isApprovalDecision, type ApprovalDecision } from '../../src/protocol/payloads/approvalPayloads.ts'
import { AgentCommandRunnerError } from '../../src/provider/agentCommandRunnerError.ts'
import { describeError } from '../../src/provider/describeError.ts'
import { AgentProtocolError } from '../../src/state/agentProtocolError.ts'
import { AgentRuntimeError } from '../agentRuntimeError.ts'
import type { AgentCommandError } from '../commandStates/agentCommandState.ts'

/** Says of a failed command what may stand in state (RFC, sections 8 and 16); it throws for no error. */
export function toCommandError(error: unknown): AgentCommandError {
  try {
    return describe(error)
  } catch {
    // A thrown proxy may throw again whatever it is asked.
    const { message, retryable } = describeError(error)
    return { code: 'provider_error', message, retryable }
  }
}

const abandoned = 'The agent gave the request up; what became of it is not known. Try again.'

function describe(error: unknown): AgentCommandError {
  const code = toCode(error)
  const { message, retryable, code: reason } = describeError(error)
  if (code === 'interrupted' && !(error instanceof AgentRuntimeError)) {
    // Whoever gave it up did not refuse it: under its key it may be asked for again.
    return { code, message: abandoned, retryable: (error as { retryable?: unknown }).retryable !== false }
  }
  const decision = decisionOf(error)
  return {
    code,
    message,
    retryable: isProtocolFault(error) ? false : retryable,
    ...(reason !== code && { reason }),
    ...(decision && { decision }),
  }
}

function decisionOf(error: unknown): ApprovalDecision | undefined {
  const decision = (error as { decision?: unknown } | null | undefined)?.decision
  return isApprovalDecision(decision) ? decision : undefined
}

// Whatever such an error says of itself: what breaks the protocol once breaks it again.
const isProtocolFault = (error: unknown) =>
  error instanceof AgentCommandRunnerError || error instanceof AgentProtocolError

function toCode(error: unknown): AgentCommandError['code'] {
  if (error instanceof AgentCommandRunnerError) return error.code
  if (error instanceof AgentProtocolError) return 'protocol_error'
  if (error instanceof AgentRuntimeError) return error.code === 'interrupted' ? 'interrupted' : 'provider_error'
  return (error as { name?: unknown } | null | undefined)?.name === 'AbortError' ? 'interrupted' : 'provider_error'
}
