import type { AgentApprovalState } from './entities/agentApprovalState.ts'
import type { AgentArtifactState } from './entities/agentArtifactState.ts'
import type { AgentMessageState } from './entities/agentMessageState.ts'
import type { AgentReasoningState } from './entities/agentReasoningState.ts'
import type { AgentRunState } from './entities/agentRunState.ts'
import type { AgentSessionState } from './entities/agentSessionState.ts'
import type { AgentTaskState } from './entities/agentTaskState.ts'
import type { AgentToolCallState } from './entities/agentToolCallState.ts'
import type { AgentProcessedEvents } from './processed/agentProcessedEvents.ts'

/** The entities of a run by kind, the kind being what `order` and the timeline say. */
export interface AgentEntityByKind {
  message: AgentMessageState
  reasoning: AgentReasoningState
  tool: AgentToolCallState
  approval: AgentApprovalState
  task: AgentTaskState
  artifact: AgentArtifactState
}
/** The kinds of things that a run brings about. */
export type AgentEntityKind = keyof AgentEntityByKind

/** An entity's place in the state order. */
export interface AgentEntityReference {
  readonly kind: AgentEntityKind
  readonly id: string
  readonly runId: string
}

/** Why an event was refused (RFC, section 5). */
export type AgentProtocolIssueCode =
  'duplicate_entity' | 'invalid_sequence' | 'invalid_transition' | 'missing_entity' | 'missing_run'

/** An event that was refused, and why. */
export interface AgentProtocolIssue {
  readonly code: AgentProtocolIssueCode
  readonly eventId: string
  readonly runId: string
  readonly message: string
}

/**
 * The facts of a session (design, section 5). Entities are keyed by `getAgentEntityKey(runId, id)`, runs and sessions
 * by their id. Only events change it.
 */
export interface AgentState {
  readonly sessions: Readonly<Record<string, AgentSessionState>>
  readonly runs: Readonly<Record<string, AgentRunState>>
  readonly messages: Readonly<Record<string, AgentMessageState>>
  readonly reasoning: Readonly<Record<string, AgentReasoningState>>
  readonly toolCalls: Readonly<Record<string, AgentToolCallState>>
  readonly approvals: Readonly<Record<string, AgentApprovalState>>
  readonly tasks: Readonly<Record<string, AgentTaskState>>
  readonly artifacts: Readonly<Record<string, AgentArtifactState>>
  /** Entities in the order in which they came. */
  readonly order: readonly AgentEntityReference[]
  /** The latest refusals, oldest first. */
  readonly issues: readonly AgentProtocolIssue[]
  /** How many older refusals are no longer in `issues`. */
  readonly droppedIssues: number
  readonly lastSequenceByRun: Readonly<Record<string, number>>
  /** What a running run has taken; let go when it ends. */
  readonly processedEvents: Readonly<Record<string, AgentProcessedEvents>>
}

/** Which of AgentState's records holds a kind. */
export const recordOfKind = {
  message: 'messages',
  reasoning: 'reasoning',
  tool: 'toolCalls',
  approval: 'approvals',
  task: 'tasks',
  artifact: 'artifacts',
} as const satisfies Record<AgentEntityKind, keyof AgentState>
