import type { AgentEntityKind } from './agentState.ts'
import type { AgentEntityBase } from './entities/agentEntityBase.ts'
import type { AgentRunState } from './entities/agentRunState.ts'
import type { ProcessedWriter } from './processed/createProcessedWriter.ts'

/** What a batch knows of one run while it writes; a plain record, as every event reads it. */
export interface RunDraft {
  readonly id: string
  state: AgentRunState | undefined
  isRunning: boolean
  /** -1 before the first event. */
  lastSequence: number
  hasChanged: boolean
  readonly processed: ProcessedWriter
  /** The batch's own copies of entities, so that a key is made once a batch. */
  readonly entities: Record<AgentEntityKind, Map<string, AgentEntityBase> | undefined>
  // Deltas come in rows for one entity: the last one asked for is most likely asked for again.
  lastKind: AgentEntityKind | undefined
  lastId: string
  lastEntity: AgentEntityBase | undefined
}
