import type { CheckpointKind, RunMode } from '../store/rows.ts'

/** What was left out of a checkpoint: how much it was, and what tells whether it has changed. */
export interface OmittedText {
  length: number
  contentHash: string
}

/** The resume protocol's checkpoint: a point from which a run can go on. */
export interface AgentRunCheckpoint {
  runId: string
  seq: number
  kind: CheckpointKind
  conversationId: string
  assistantMessageId: string
  /** Characters of all that was said and thought so far. */
  textLength: number
  reasoningLength: number
  completedToolCallIds: string[]
  pendingToolCallIds: string[]
  /** How many answers of the model are whole. */
  lastIteration: number
  resumeState: AgentResumeState
  createdAt: number
}

/** The least that going on needs; of documents it holds summaries, never their text. */
export interface AgentResumeState {
  compressedMessages: unknown[]
  model: string
  enableThinking: boolean
  mode: RunMode
  currentDocument: { id: string; title?: string; contentHash?: string } | null
  toolResults: {
    toolCallId: string
    toolName: string
    argumentsJson: string
    result: unknown
    resultHash: string
    completedAt: number
  }[]
  /** The message that was written last. */
  assistantDraft: { text: string; reasoning?: string }
}
