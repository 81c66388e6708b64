import type { AnyReactAgentRuntime } from '../createAgentRuntime.ts'
import type { AgentLocale } from '../locale/agentLocale.ts'
import { enUS } from '../locale/enUS.ts'
import { describeConnection } from './describeConnection.ts'
import { useConnection } from './useConnection.ts'

export interface ConnectionBadgeProps {
  agent: AnyReactAgentRuntime
  sessionId: string
  /** `enUS` by default. */
  locale?: AgentLocale | undefined
}

/**
 * Says where a session's wire stands, which attempt it is at and where it was taken up again, also to a screen reader
 * when it changes.
 *
 * @example
 * <ConnectionBadge agent={agent} sessionId={sessionId} />
 */
export function ConnectionBadge({ agent, sessionId, locale = enUS }: ConnectionBadgeProps) {
  const connection = useConnection(agent, { sessionId })
  return (
    <span className="agent-connection" data-connection={connection?.state ?? 'idle'} role="status">
      <span className="agent-connection-dot" aria-hidden="true" />
      {describeConnection(connection, locale)}
    </span>
  )
}
