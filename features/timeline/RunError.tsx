import type { ReactNode } from 'react'
import type { AgentError } from '../../src/protocol/agentError.ts'
import type { AgentLocale } from '../locale/agentLocale.ts'
import { ErrorText } from '../view/ErrorText.tsx'
import { useRunError, type RunErrorSource } from './useRunError.ts'

/** Shows why a run came to nothing. */
export function RunError(props: {
  source: RunErrorSource
  locale: AgentLocale
  render: ((error: AgentError, of: { runId: string }) => ReactNode) | undefined
}) {
  const { locale, render } = props
  const found = useRunError(props.source)
  if (!found) return null
  if (render) return render(found.error, { runId: found.runId })
  return (
    <div className="agent-run-error" role="alert">
      <ErrorText error={found.error} locale={locale} />
    </div>
  )
}
