import type { AgentLocale } from '../locale/agentLocale.ts'
import { Button } from './Button.tsx'

/** Why a wish could not be sent, and the way to send it once more. */
export function FailureNote(props: { message: string; locale: AgentLocale; onTryAgain?: (() => void) | undefined }) {
  const { message, locale, onTryAgain } = props
  return (
    <div className="agent-failure" role="alert">
      <span>{locale.command.failed(message)}</span>
      {onTryAgain && (
        <Button kind="quiet" onClick={onTryAgain}>
          {locale.command.tryAgain}
        </Button>
      )}
    </div>
  )
}
