import { assertNever } from '../assertNever.ts'
import type { AgentMessageState } from '../state/entities/agentMessageState.ts'
import type { AgentRunState } from '../state/entities/agentRunState.ts'
import type { MessageStatus } from './messageInfo.ts'

/**
 * Says where a message stands: a message that is open when its run ends shares the run's end, and one whose run was
 * let go of on this page (`isDetached`) shows `abort`.
 */
export function getMessageStatus(
  message: AgentMessageState,
  run: Pick<AgentRunState, 'status'> | undefined,
  isDetached = false,
): MessageStatus {
  if (message.role === 'user') return 'local'
  const { status } = message
  switch (status) {
    case 'completed':
      return 'success'
    case 'failed':
      return 'error'
    case 'cancelled':
      return 'abort'
    case 'pending':
    case 'streaming':
    case 'running':
    case 'waiting':
      return getOpenStatus(run, isDetached)
    default:
      return assertNever(status)
  }
}

function getOpenStatus(run: Pick<AgentRunState, 'status'> | undefined, isDetached: boolean): MessageStatus {
  const status = run?.status ?? 'running'
  switch (status) {
    case 'completed':
      return 'success'
    case 'failed':
      return 'error'
    case 'cancelled':
      return 'abort'
    case 'running':
      return isDetached ? 'abort' : 'updating'
    default:
      return assertNever(status)
  }
}
