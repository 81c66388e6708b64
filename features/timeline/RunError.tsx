import type { ReactNode } from 'react'
import { useSelector } from 'react-redux'
import type { AgentError } from '../../src/protocol/fields.ts'
import type { AgentRootState } from '../../store/runtime/agentSlice.ts'
import type { AnyReactAgentRuntime } from '../createAgentRuntime.ts'
import { useConnection } from '../connection/useConnection.ts'
import type { AgentLocale } from '../locale/agentLocale.ts'
import { useAgentRun } from '../run/useAgentRun.ts'
import { ErrorText } from '../view/ErrorText.tsx'

/** Why a run came to nothing: what the runtime says, or what became of its wire; nothing where a row says the same. */
export function RunError(props: {
  agent: AnyReactAgentRuntime
  sessionId: string
  /** The run; by default the session's latest, or the one of the last row where that has no wire any more. */
  runId: string | undefined
  lastRunId: string | undefined
  locale: AgentLocale
  render: ((error: AgentError, of: { runId: string }) => ReactNode) | undefined
}) {
  const { agent, sessionId, locale, render } = props
  const wire = useConnection(agent, props.runId === undefined ? { sessionId } : { runId: props.runId })
  const runId = props.runId ?? wire?.runId ?? props.lastRunId ?? ''
  const run = useAgentRun(agent, { runId })
  const isLost = wire?.state === 'failed' || wire?.state === 'unrecoverable'
  const error = run?.status === 'failed' ? run.error : isLost ? wire.error : undefined
  const isTold = useSelector((root: AgentRootState<string>) => {
    if (!error) return false
    const items = agent.selectors.selectAgentTimeline(root, { sessionId, runId })
    return items.some(({ entity }) => 'error' in entity && entity.error?.message === error.message)
  })
  if (!error || isTold) return null
  if (render) return render(error, { runId })
  return (
    <div className="agent-run-error" role="alert">
      <ErrorText error={error} locale={locale} />
    </div>
  )
}
