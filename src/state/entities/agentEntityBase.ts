import type { AgentEventMeta } from '../../protocol/agentEvent.ts'
import type { AgentError } from '../../protocol/agentError.ts'

/** Where an entity stands; the last three are terminal and final. */
export type AgentEntityStatus = 'pending' | 'streaming' | 'running' | 'waiting' | 'completed' | 'failed' | 'cancelled'

/** What all entities of a run share; times are in milliseconds, by the runtime's clock. */
export interface AgentEntityBase {
  readonly id: string
  readonly runId: string
  readonly parentId?: string
  readonly status: AgentEntityStatus
  readonly error?: AgentError
  readonly reason?: string
  readonly createdAt: number
  readonly updatedAt: number
  /**
   * The `meta` of the event that began the entity, that of each later one laid over it key by key; what says `hidden`
   * or `reset` is kept for the provider and not shown.
   */
  readonly meta?: AgentEventMeta
}
