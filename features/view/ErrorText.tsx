import type { AgentError } from '../../src/protocol/agentError.ts'
import { getOwn } from '../../src/state/ownRecord.ts'
import type { AgentLocale } from '../locale/agentLocale.ts'

/** What a runtime says went wrong, or why something was cancelled. */
export function ErrorText(props: {
  error?: AgentError | undefined
  reason?: string | undefined
  locale: AgentLocale
}) {
  const { error, reason = '', locale } = props
  if (error) {
    return (
      <p className="agent-error">
        {error.message}
        {error.code !== undefined && <code className="agent-error-code">{error.code}</code>}
      </p>
    )
  }
  return reason === '' ? null : <p className="agent-note">{getOwn(locale.reasons, reason) ?? reason}</p>
}
