import type { AgentEvent } from 'redux-agent'
import type { ChatMessage } from '../chat/chatMessage.ts'

/** `interrupted`: its server was stopped; nobody works on it until it is taken up again. */
export type RunStatus = 'running' | 'interrupted' | 'completed' | 'failed' | 'cancelled'
export type RunMode = 'chat' | 'plan'

/** One answer to one message of a person; its configuration is pinned when it starts. */
export interface RunRow {
  runId: string
  ownerId: string
  conversationId: string
  assistantMessageId: string
  status: RunStatus
  lastSeq: number
  model: string
  mode: RunMode
  enableThinking: boolean
  currentDocumentId: string | null
  /** Since when an approval waits, in milliseconds; null while none does. */
  waitingSince: number | null
  createdAt: number
  updatedAt: number
}

/** A stored event; its AgentEvent's `sequence` is `seq`. This is also the `data` of its SSE frame. */
export interface EventRow {
  runId: string
  seq: number
  event: AgentEvent
  createdAt: number
}

/** `closed`: the run ended before a person decided. */
export type ApprovalStatus = 'waiting' | 'approved' | 'rejected' | 'modified' | 'closed'

export interface ApprovalRow {
  runId: string
  approvalId: string
  toolCallId: string
  toolName: string
  /** The tool's arguments as they will be used: after an edit, the edited ones. */
  arguments: unknown
  preview: ChangePreview
  editable: boolean
  version: number
  status: ApprovalStatus
  /** Sequence of its approval.resolved. */
  resolvedSeq: number | null
}

/** What a write tool would do, made without doing it. */
export interface ChangePreview {
  kind: 'document' | 'memory'
  documentId?: string
  title: string
  before: string
  after: string
  /** The version of the document that `before` shows. */
  baseVersion?: number
}

/** The ledger of effects: what became of each tool call. */
export interface ToolCallRow {
  runId: string
  toolCallId: string
  name: string
  arguments: string
  attempt: number
  status: 'requested' | 'started' | 'succeeded' | 'failed' | 'cancelled'
  /** Until when a person may ask for another attempt, in milliseconds; null when that is not open. */
  holdUntil: number | null
  /** The tool call that is the next attempt of this one. */
  retriedBy: string | null
}

export interface IdempotencyRow {
  ownerId: string
  key: string
  bodyHash: string
  answer: unknown
}

export interface ConversationRow {
  ownerId: string
  id: string
  title: string
  createdAt: number
  updatedAt: number
}

/** A message of the read model: what stands on the page for good. */
export interface MessageRow {
  ownerId: string
  conversationId: string
  runId: string
  messageId: string
  role: string
  content: unknown
  status: 'streaming' | 'completed' | 'failed' | 'cancelled'
  createdAt: number
}

/** One message of the model's own record of a run, in its order. */
export interface TranscriptRow {
  runId: string
  message: ChatMessage
}

export interface DocumentRow {
  ownerId: string
  id: string
  title: string
  content: string
  version: number
  updatedAt: number
}

export interface MemoryRow {
  ownerId: string
  id: string
  text: string
  createdAt: number
}

/** What the publishing service shows to the public: the last published version of a document. */
export interface PublicationRow {
  ownerId: string
  documentId: string
  title: string
  content: string
  version: number
  publishedAt: number
}
