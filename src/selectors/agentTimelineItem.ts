import type { AgentEntityByKind, AgentEntityKind } from '../state/agentState.ts'

/** The item of one kind. */
export interface AgentTimelineItemOf<Kind extends AgentEntityKind> {
  readonly kind: Kind
  readonly id: string
  readonly runId: string
  readonly entity: AgentEntityByKind[Kind]
}

/** One thing that a run did, with the entity that `kind` names; the same object while its entity is. */
export type AgentTimelineItem = { [Kind in AgentEntityKind]: AgentTimelineItemOf<Kind> }[AgentEntityKind]
