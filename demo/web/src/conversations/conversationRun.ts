import type { AgentHistoryMessage } from 'redux-agent'
import type { AgentRecordedRun } from 'redux-agent/rtk-query'

/** A run of a conversation, as the read model has it; one that only this page knows has no messages yet. */
export interface ConversationRun {
  readonly runId: string
  readonly messages: readonly AgentHistoryMessage[]
  readonly record?: AgentRecordedRun | undefined
}
