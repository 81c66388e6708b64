import type { AgentEvent } from '../../src/protocol/agentEvent.ts'
import type { AgentHistoryMessage } from '../../src/readModel/agentHistoryMessage.ts'
import type { AgentConnectionError, AgentConnectionState } from '../connection/agentRunConnection.ts'

/** Where a run stands on its server; `interrupted` is not over, it can be taken up again. */
export type AgentRecordedRunStatus = 'running' | 'interrupted' | 'completed' | 'failed' | 'cancelled'

/** A run as the read model keeps it; times are in milliseconds. */
export interface AgentRecordedRun {
  readonly runId: string
  readonly conversationId: string
  readonly status: AgentRecordedRunStatus
  /** The sequence of its last event. */
  readonly lastSeq: number
  readonly createdAt: number
  readonly updatedAt: number
}

/** A conversation in the list of all; times are in milliseconds. */
export interface AgentConversationSummary {
  readonly id: string
  readonly title: string
  readonly createdAt: number
  readonly updatedAt: number
}

/** A page of conversations, the one that changed last first. */
export interface AgentConversationsPage {
  readonly conversations: readonly AgentConversationSummary[]
  /** Where the next page begins; null after the last one. */
  readonly nextCursor: string | null
}

/** The messages of some of a conversation's runs, oldest first. */
export interface AgentHistoryPage {
  readonly messages: readonly AgentHistoryMessage[]
  readonly runs: readonly AgentRecordedRun[]
  /** Where what came before begins; null where nothing did. */
  readonly nextCursor: string | null
}

/** A conversation with its newest messages. */
export interface AgentConversation extends AgentConversationSummary, AgentHistoryPage {}

/** A page of a run's event log. */
export interface AgentRunEventsPage {
  readonly events: readonly AgentEvent[]
  /** The run's last sequence when the page was read. */
  readonly lastSeq: number
  readonly status: AgentRecordedRunStatus
}

/** What the cache holds of a run that is followed; what the run says is in the runtime's state, under its session. */
export interface AgentFollowedRun {
  readonly runId: string
  readonly sessionId: string
  readonly status: AgentRecordedRunStatus
  readonly connection: AgentConnectionState
  /** The sequence of the last event here; within a second where nothing but text comes. */
  readonly lastSequence: number
  /** What went wrong with the wire. */
  readonly error?: AgentConnectionError | undefined
}
