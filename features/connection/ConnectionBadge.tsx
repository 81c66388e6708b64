import type { AnyReactAgentRuntime } from '../createAgentRuntime.ts'
import type { AgentLocale } from '../locale/agentLocale.ts'
import { enUS } from '../locale/enUS.ts'
import { useConnectionState } from './useConnectionState.ts'

export interface ConnectionBadgeProps {
  agent: AnyReactAgentRuntime
  sessionId: string
  /** `enUS` by default. */
  locale?: AgentLocale | undefined
}

/**
 * Says where a session's wire stands, also to a screen reader when it changes.
 *
 * @example
 * <ConnectionBadge agent={agent} sessionId={sessionId} />
 */
export function ConnectionBadge({ agent, sessionId, locale = enUS }: ConnectionBadgeProps) {
  const state = useConnectionState(agent, { sessionId })
  return (
    <span className="agent-connection" data-connection={state} role="status">
      <span className="agent-connection-dot" aria-hidden="true" />
      {locale.connection[state]}
    </span>
  )
}
