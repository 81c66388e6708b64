import type { AgentActionResult } from '../../store/runtime/storeContext.ts'

/**
 * A person's wishes, sent to the runtime (RFC, section 10.1). Each promise resolves once the runtime has taken the
 * wish, and rejects with why it did not: an AgentRuntimeError where nothing was sent. What comes of it is an event.
 */
export interface AgentActions {
  resolveApproval(input: {
    runId: string
    approvalId: string
    decision: 'approved' | 'rejected' | 'modified'
    data?: unknown
    expectedVersion?: string | number
  }): Promise<AgentActionResult>
  retryTool(input: { runId: string; toolCallId: string }): Promise<AgentActionResult>
  cancelRun(input: { runId: string; reason?: string }): Promise<AgentActionResult>
}
