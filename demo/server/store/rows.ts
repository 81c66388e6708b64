import type { AgentEvent } from 'redux-agent'
import type { ChatMessage } from '../chat/chatMessage.ts'

/**
 * `interrupted`: nobody works on it until a person has it taken up again. A run whose server has died is still
 * `running`: its lease runs out, and any node takes it over.
 */
export type RunStatus = 'running' | 'interrupted' | 'completed' | 'failed' | 'cancelled'
export type RunMode = 'chat' | 'plan'

/** One answer to one message of a person; its configuration is pinned when it starts. Times are in milliseconds. */
export interface RunRow {
  runId: string
  ownerId: string
  conversationId: string
  /** The chain of runs that share one configuration. */
  threadId: string
  configurationId: string
  /** The interrupted run whose work this one goes on with, where it is not the same run. */
  resumesRunId: string | null
  assistantMessageId: string
  status: RunStatus
  /** The earliest sequence that the log still holds; past `lastSeq` once retention has dropped it. */
  firstSeq: number
  lastSeq: number
  model: string
  mode: RunMode
  enableThinking: boolean
  currentDocumentId: string | null
  /** SHA-256 of what the document said when the run started. */
  currentDocumentHash: string | null
  /** Since when an approval waits; null while none does. */
  waitingSince: number | null
  /** Why it is interrupted, as a literal code; null otherwise. */
  interruption: string | null
  createdAt: number
  updatedAt: number
  /** When retention may drop its log. */
  expiresAt: number
}

/**
 * Who works on a run: whoever appends must name the epoch, so that one who was taken for dead and comes back is
 * refused.
 */
export interface LeaseRow {
  runId: string
  /** Goes up with every new holder. */
  epoch: number
  /** `node/instance`; null while nobody works on it. */
  leaseHolder: string | null
  /** In milliseconds. */
  leaseExpiresAt: number
  /** How often it was taken over because its holder had died. */
  recoveries: number
  /** How often in a row without a new event in between. */
  idleRecoveries: number
  /** Its last sequence at the last recovery. */
  recoveredAtSeq: number
}

/** A stored event; its AgentEvent's `sequence` is `seq`. This is also the `data` of its SSE frame. */
export interface EventRow {
  runId: string
  seq: number
  event: AgentEvent
  createdAt: number
}

export const checkpointKinds = [
  ...(['run_started', 'assistant_delta', 'tool_call_started', 'tool_call_arguments_completed'] as const),
  ...(['tool_call_result_persisted', 'iteration_completed', 'run_finished', 'run_failed'] as const),
]
export type CheckpointKind = (typeof checkpointKinds)[number]

/** A point from which a run can go on; `checkpoint` is the resume protocol's AgentRunCheckpoint. */
export interface CheckpointRow {
  runId: string
  seq: number
  kind: CheckpointKind
  checkpoint: unknown
  createdAt: number
}

/** Where a checkpoint was taken: what readers of the log are told of it. */
export type CheckpointPlace = Pick<CheckpointRow, 'seq' | 'kind'>

/** `closed`: the run ended before a person decided. */
export type ApprovalStatus = 'waiting' | 'approved' | 'rejected' | 'modified' | 'expired' | 'closed'

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
  /** Until when a person may decide, in milliseconds. */
  expiresAt: number
  /** What a person answered to a plain question. */
  answer: string | null
  /** Sequence of its approval.resolved. */
  resolvedSeq: number | null
}

/** What a write tool would do, made without doing it; of a question, what is asked. */
export interface ChangePreview {
  kind: 'document' | 'memory' | 'question'
  documentId?: string
  title: string
  before: string
  after: string
  /** The version of the document that `before` shows. */
  baseVersion?: number
}

/** `unknown`: it was started, and nobody can tell whether what it does outside was done. */
export type ToolCallStatus = 'requested' | 'started' | 'succeeded' | 'failed' | 'cancelled' | 'unknown'

/** The ledger of effects: what became of each tool call. */
export interface ToolCallRow {
  runId: string
  ownerId: string
  toolCallId: string
  name: string
  arguments: string
  /** Of the tool's name and its normalized arguments; null until they are whole. */
  signature: string | null
  attempt: number
  status: ToolCallStatus
  /** Whether what it does cannot be stored together with its success. */
  isExternal: boolean
  /** What it gave, or its error; null before. */
  result: unknown
  /** The owner's revision at which a read-only tool read. */
  revision: number | null
  /** Until when a person may ask for another attempt, in milliseconds; null when that is not open. */
  holdUntil: number | null
  /** The tool call that is the next attempt of this one. */
  retriedBy: string | null
  completedAt: number | null
}

export interface IdempotencyRow {
  ownerId: string
  key: string
  bodyHash: string
  answer: unknown
  createdAt: number
}

export interface ConversationRow {
  ownerId: string
  id: string
  title: string
  createdAt: number
  updatedAt: number
}

/** The runs of a conversation that share one configuration. */
export interface ThreadRow {
  threadId: string
  ownerId: string
  conversationId: string
  configurationId: string
  createdAt: number
  /** The thread that took its place; null while it is the conversation's own. */
  supersededBy: string | null
}

/** How runs behave; its id is the hash of what it says, so that equal ones are one. */
export interface ConfigurationRow {
  configurationId: string
  configuration: unknown
  createdAt: number
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

/** A message as it lies in the store: `position` grows with each new one. */
export interface StoredMessageRow extends MessageRow {
  position: number
}

/** One message of the model's own record of a run, in its order. */
export interface TranscriptRow {
  runId: string
  message: ChatMessage
}

/** What a person said when they were asked: an observation, no fact; where it comes from is kept with it. */
export interface ObservationRow {
  ownerId: string
  conversationId: string
  runId: string
  approvalId: string
  toolCallId: string
  question: string
  answer: string
  observedAt: number
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
