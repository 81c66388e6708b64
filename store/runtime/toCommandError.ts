import { AgentCommandRunnerError } from '../../src/provider/agentCommandRunnerError.ts'
import { AgentProtocolError } from '../../src/state/agentProtocolError.ts'
import { AgentRuntimeError } from '../agentRuntimeError.ts'
import type { AgentCommandErrorState } from '../commandStates/agentCommandState.ts'
import { describeError } from './describeError.ts'

/** Says of a failed command what may stand in state (RFC, sections 8 and 16). */
export function toCommandError(error: unknown): AgentCommandErrorState {
  const { message, retryable } = describeError(error)
  if (error instanceof AgentCommandRunnerError) return { code: error.code, message, retryable: false }
  if (error instanceof AgentProtocolError) return { code: 'protocol_error', message, retryable: false }
  if (error instanceof AgentRuntimeError) {
    return error.code === 'interrupted'
      ? { code: 'interrupted', message, retryable: false }
      : { code: 'provider_error', message, retryable: true }
  }
  return { code: 'provider_error', message, retryable }
}
