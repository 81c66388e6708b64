import type { AgentConnectionState } from '../../store/connection/agentRunConnection.ts'
import type { AnyReactAgentRuntime } from '../createAgentRuntime.ts'
import type { AgentLocale } from '../locale/agentLocale.ts'
import { enUS } from '../locale/enUS.ts'
import { describeConnection } from './describeConnection.ts'
import { isWireCut } from './isWireCut.ts'
import { useConnection } from './useConnection.ts'
import { useConnectionState } from './useConnectionState.ts'

/** What `ConnectionBadge` is given. */
export interface ConnectionBadgeProps {
  agent: AnyReactAgentRuntime
  sessionId: string
  /** `enUS` by default. */
  locale?: AgentLocale | undefined
}

// What is under way as it should be would only talk into the answer that is being read.
const troubles: ReadonlySet<AgentConnectionState> = new Set(['unrecoverable', 'failed'])

/**
 * Says where a session's wire stands, which attempt it is at and where it was taken up again; a screen reader says by
 * itself only that the wire is lost, being taken up again, or failed. A session whose storage could not be read has no
 * wire, and says that.
 *
 * @example
 * <ConnectionBadge agent={agent} sessionId={sessionId} />
 */
export function ConnectionBadge({ agent, sessionId, locale = enUS }: ConnectionBadgeProps) {
  const connection = useConnection(agent, { sessionId })
  // A session that is being read has a state before it has a wire.
  const state = useConnectionState(agent, { sessionId })
  const isWires = connection?.state === state
  const isLost = isWires && isWireCut(connection)
  const isUnrestored = state === 'failed' && !isWires
  return (
    <span
      className="agent-connection"
      data-connection={state}
      data-restore={isUnrestored ? 'failed' : undefined}
      role="status"
      aria-live={isLost || troubles.has(state) ? 'polite' : 'off'}
    >
      <span className="agent-connection-dot" aria-hidden="true" />
      {isUnrestored
        ? locale.connectionDetail.notRestored
        : describeConnection(isWires ? connection : { state }, locale)}
    </span>
  )
}
