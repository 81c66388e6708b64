import type { AgentEventPayloadMap, AgentEventType } from '../../protocol/agentEventPayloads.ts'
import type { AgentEvent } from '../../protocol/agentEvent.ts'
import type { AgentEntityKind, AgentState } from '../../state/agentState.ts'
import type { AgentEntityBase } from '../../state/entities/agentEntityBase.ts'
import type { AgUiMeta } from './agUiMeta.ts'
import type { AgUiMappingOptions } from './agUiOptions.ts'

/** What the parts of a mapper share while they map one connection of a run. */
export interface AgUiScope {
  /** The adapter's name, for its errors. */
  readonly adapter: string
  readonly runId: string
  readonly options: AgUiMappingOptions
  /** The AG-UI run that is under way. */
  wireRunId: string
  /** What the AG-UI runs so far have used. */
  usage: AgUiMeta['usage']
  /** Whether the connection replays its AG-UI run from the start. */
  readonly replaysAll: boolean
  /** Whether that may come to be. */
  readonly mayReplayAll: boolean
  /** Whether something that was there when the connection began is of an AG-UI run before this one. */
  isOfEarlierRun(kind: AgentEntityKind, entity: AgentEntityBase): boolean
  /** What tells the AG-UI run that is under way from those before it, even where they have one id. */
  getLeg(): string
  /** Takes an event that was made elsewhere. */
  push(event: AgentEvent): void
  emit<Type extends AgentEventType>(
    type: Type,
    payload: AgentEventPayloadMap[Type],
    /** What is hidden is not for the eye. */
    options?: { parentId?: string | undefined; meta?: AgUiMeta | undefined; isHidden?: boolean },
  ): void
  /** The session's state as it was when the connection began. */
  readonly getAgentState: () => AgentState | undefined
  /** Ends the reading with what is wrong; it may name ids' kinds, never content. */
  fail(what: string): never
}

/** How a run comes to its end, hence what is still open. */
export type AgUiEnding =
  | { readonly status: 'completed' }
  | { readonly status: 'failed'; readonly error: AgentEventPayloadMap['run.failed']['error'] }
  | { readonly status: 'cancelled'; readonly reason?: string | undefined }

