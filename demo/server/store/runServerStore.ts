import type { AgentEvent } from 'redux-agent'
import type {
  ApprovalRow,
  ConversationRow,
  DocumentRow,
  EventRow,
  IdempotencyRow,
  MemoryRow,
  MessageRow,
  PublicationRow,
  RunRow,
  ToolCallRow,
  TranscriptRow,
} from './rows.ts'

/** Fields of a row that its key does not hold. */
type Patch<Row, Key extends keyof Row> = Partial<Omit<Row, Key>>
type Found<Row> = Promise<Row | undefined>

/** Events of a run after a sequence; `types` and `messageId` leave out what need not be read. */
export interface EventQuery {
  runId: string
  after: number
  limit?: number
  types?: readonly AgentEvent['type'][]
  messageId?: string
}

/**
 * What can be read and written within one transaction. Everything is asynchronous, so that a store on another machine
 * fits; a `get` of a run locks its row until the end, so that whoever then gives sequences gives them densely.
 */
export interface RunServerTransaction {
  users: { has(ownerId: string): Promise<boolean>; insert(ownerId: string, createdAt: number): Promise<void> }
  runs: {
    get(runId: string): Found<RunRow>
    insert(row: RunRow): Promise<void>
    update(runId: string, patch: Patch<RunRow, 'runId'>): Promise<void>
    /** The thread's run that is running or interrupted. */
    findUnfinished(ownerId: string, conversationId: string): Found<RunRow>
    listByConversation(ownerId: string, conversationId: string): Promise<RunRow[]>
    listRunning(): Promise<RunRow[]>
    countRunning(ownerId: string): Promise<number>
  }
  events: {
    insert(rows: readonly EventRow[]): Promise<void>
    list(query: EventQuery): Promise<EventRow[]>
  }
  approvals: {
    get(runId: string, approvalId: string): Found<ApprovalRow>
    findByToolCall(runId: string, toolCallId: string): Found<ApprovalRow>
    insert(row: ApprovalRow): Promise<void>
    update(runId: string, approvalId: string, patch: Patch<ApprovalRow, 'runId' | 'approvalId'>): Promise<void>
    listWaiting(runId: string): Promise<ApprovalRow[]>
  }
  toolCalls: {
    get(runId: string, toolCallId: string): Found<ToolCallRow>
    insert(row: ToolCallRow): Promise<void>
    update(runId: string, toolCallId: string, patch: Patch<ToolCallRow, 'runId' | 'toolCallId'>): Promise<void>
  }
  idempotency: { get(ownerId: string, key: string): Found<IdempotencyRow>; insert(row: IdempotencyRow): Promise<void> }
  conversations: {
    get(ownerId: string, id: string): Found<ConversationRow>
    list(ownerId: string): Promise<ConversationRow[]>
    insert(row: ConversationRow): Promise<void>
    touch(ownerId: string, id: string, updatedAt: number): Promise<void>
  }
  messages: {
    list(ownerId: string, conversationId: string): Promise<MessageRow[]>
    insert(row: MessageRow): Promise<void>
    update(runId: string, messageId: string, patch: Pick<MessageRow, 'status' | 'content'>): Promise<void>
  }
  transcript: {
    append(row: TranscriptRow): Promise<void>
    list(ownerId: string, conversationId: string): Promise<TranscriptRow[]>
  }
  documents: {
    list(ownerId: string): Promise<DocumentRow[]>
    get(ownerId: string, id: string): Found<DocumentRow>
    insert(row: DocumentRow): Promise<void>
    update(row: DocumentRow): Promise<void>
    remove(ownerId: string, id: string): Promise<boolean>
  }
  memories: { list(ownerId: string): Promise<MemoryRow[]>; insert(row: MemoryRow): Promise<void> }
  publications: {
    get(ownerId: string, documentId: string): Found<PublicationRow>
    put(row: PublicationRow): Promise<void>
  }
}

/** Where the server keeps everything: the one contract that each database implements. */
export interface RunServerStore {
  /**
   * Runs `work` so that all that it writes is kept, or nothing. Transactions must not be nested: use the one given.
   *
   * @throws whatever `work` throws, after everything was taken back.
   */
  transaction<Result>(work: (transaction: RunServerTransaction) => Promise<Result>): Promise<Result>
  /** Lets what was begun end, then closes. */
  close(): Promise<void>
}
