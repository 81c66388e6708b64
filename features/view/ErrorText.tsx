import type { AgentError } from '../../src/protocol/fields.ts'

/** What a runtime says went wrong, or why something was cancelled. */
export function ErrorText({ error, reason }: { error?: AgentError | undefined; reason?: string | undefined }) {
  if (error) {
    return (
      <p className="agent-error">
        {error.message}
        {error.code !== undefined && <code className="agent-error-code">{error.code}</code>}
      </p>
    )
  }
  return reason === undefined || reason === '' ? null : <p className="agent-note">{reason}</p>
}
