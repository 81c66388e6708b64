import type { AgentApprovalState } from '../../src/state/entities/agentApprovalState.ts'
import type { AnyReactAgentRuntime } from '../createAgentRuntime.ts'
import { useAgentActions } from '../run/useAgentActions.ts'
import { useCommandSupport } from '../run/useCommandSupport.ts'
import { useSubmission } from '../run/useSubmission.ts'
import type { Failure } from '../view/FailureNote.tsx'

/** How a person's answer to an approval that waits fares, and the way to give it. */
export interface ApprovalAnswer {
  readonly isSupported: boolean
  readonly isSubmitting: boolean
  /** The runtime took it, and the fact has not come yet. */
  readonly isSent: boolean
  readonly failure: Failure | undefined
  decide(decision: 'approved' | 'rejected' | 'modified', data?: { data: unknown }): void
  tryAgain(): void
}

/** Gives a person's answer to the runtime; `onDecide` is called as it goes out. */
export function useApprovalAnswer(
  agent: AnyReactAgentRuntime,
  { runId, id: approvalId, version }: AgentApprovalState,
  onDecide: () => void,
): ApprovalAnswer {
  const { resolveApproval } = useAgentActions(agent)
  const isSupported = useCommandSupport(agent, { runId, type: 'approval.resolve' })
  const submission = useSubmission(agent, { runId, type: 'approval.resolve', entityId: approvalId })
  const { command, isSubmitting, failure, send } = submission
  return {
    isSupported,
    isSubmitting,
    isSent: command?.status === 'succeeded',
    failure,
    decide(decision, data = undefined) {
      onDecide()
      const expected = version === undefined ? {} : { expectedVersion: version }
      send(() => resolveApproval({ runId, approvalId, decision, ...data, ...expected }))
    },
    tryAgain() {
      onDecide()
      const sent = command?.command
      // The same decision and data make it a resend: the runtime knows it by the same idempotency key.
      if (sent?.type === 'approval.resolve') send(() => resolveApproval({ runId, ...sent.payload }))
    },
  }
}
