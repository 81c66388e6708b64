import type { ApprovalDecision } from '../../src/protocol/payloads/approvalPayloads.ts'
import { getOwn } from '../../src/state/ownRecord.ts'
import type { AgentLocale } from '../locale/agentLocale.ts'
import { Button } from './Button.tsx'

/** Why nothing came of a wish. */
export interface Failure {
  readonly message: string
  /** The error's literal code, by which a locale knows it. */
  readonly reason: string | undefined
  /** The decision that stands instead of the person's. */
  readonly decision: ApprovalDecision | undefined
  readonly isRetryable: boolean
}

/** Why a wish could not be sent, and the way to send it once more. */
export function FailureNote(props: { failure: Failure; locale: AgentLocale; onTryAgain?: (() => void) | undefined }) {
  const { failure, locale, onTryAgain } = props
  return (
    <div className="agent-failure" role="alert">
      <span>{describe(failure, locale)}</span>
      {onTryAgain && (
        <Button kind="quiet" onClick={onTryAgain}>
          {locale.command.tryAgain}
        </Button>
      )}
    </div>
  )
}

function describe({ message, reason, decision }: Failure, { command, approval }: AgentLocale): string {
  if (decision !== undefined) return command.decided(approval.decision[decision])
  return command.failed(getOwn(command.reasons, reason ?? '') ?? message)
}
