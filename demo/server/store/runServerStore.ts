import type { AgentEvent } from 'redux-agent'
import type {
  ApprovalRow,
  CheckpointPlace,
  CheckpointRow,
  ConfigurationRow,
  ConversationRow,
  DocumentRow,
  EventRow,
  IdempotencyRow,
  LeaseRow,
  MemoryRow,
  MessageRow,
  ObservationRow,
  PublicationRow,
  RunRow,
  StoredMessageRow,
  ThreadRow,
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

/** A page that goes backwards: the newest rows before a cursor. */
export interface PageQuery<Cursor> {
  before?: Cursor
  limit: number
}

/** Asks where a run's next events stand; undefined where there is no such run under way, or the epoch is old. */
export interface SequenceRequest {
  runId: string
  count: number
  now: number
  /** The lease's epoch; without it the writer holds no lease: a command of a person. */
  epoch?: number
}

/** What a run looks like from afar: where any of it differs from before, something has changed. */
export interface RunVersion {
  runId: string
  lastSeq: number
  status: RunRow['status']
  epoch: number
}

/**
 * What can be read and written within one transaction. Everything is asynchronous, so that a store on another machine
 * fits.
 */
export interface RunServerTransaction {
  /** Keeps others with the same key waiting until the end of the transaction: for what no row stands for yet. */
  lock(key: string): Promise<void>
  users: {
    has(ownerId: string): Promise<boolean>
    insert(ownerId: string, createdAt: number): Promise<void>
    /** Goes up with everything that is written to the owner's documents, memories and publications. */
    getRevision(ownerId: string): Promise<number>
  }
  runs: {
    get(runId: string): Found<RunRow>
    /** Reads it and keeps everybody else from changing it until the end of the transaction. */
    lock(runId: string): Found<RunRow>
    insert(row: RunRow): Promise<void>
    update(runId: string, patch: Patch<RunRow, 'runId'>): Promise<void>
    /**
     * Gives the run's next sequences in one statement that also checks the epoch, so that they are dense and are
     * committed in their order; the row is what it is after them: its `lastSeq` is the last one given.
     */
    takeSequences(request: SequenceRequest): Found<RunRow>
    /**
     * The same for many runs, each once, in as few statements as may be; leaves out what another has locked, so that
     * none waits for another's, and what may not be written.
     */
    takeFreeSequences(requests: readonly (SequenceRequest & { epoch: number })[]): Promise<RunRow[]>
    /** The thread's run that is running or interrupted. */
    findUnfinished(ownerId: string, conversationId: string): Found<RunRow>
    listByConversation(ownerId: string, conversationId: string): Promise<RunRow[]>
    listRunning(): Promise<RunRow[]>
    countRunning(ownerId: string): Promise<number>
    /** Of everybody. */
    countByStatus(): Promise<Record<RunRow['status'], number>>
    listVersions(runIds: readonly string[]): Promise<RunVersion[]>
    /** Unfinished or not, whose log retention may drop at `now` and has not yet. */
    listExpired(now: number, limit: number): Promise<RunRow[]>
  }
  leases: {
    get(runId: string): Found<LeaseRow>
    update(runId: string, patch: Patch<LeaseRow, 'runId'>): Promise<void>
    /** Takes the lease with the next epoch, whoever holds it; gives that epoch. */
    take(runId: string, holder: string, expiresAt: number): Found<number>
    /** Runs under way whose lease has run out, or is an earlier life's of this node (`holder` up to the `/`). */
    listAbandoned(options: { now: number; node?: string; limit: number }): Promise<LeaseRow[]>
    /** Holds on to these leases, as far as they are this holder's; gives the runs that it still has. */
    renew(options: { holder: string; runIds: readonly string[]; expiresAt: number }): Promise<string[]>
    /** Lets go of a lease, where it is still this epoch's, so that others need not wait for its end. */
    release(runId: string, epoch: number): Promise<void>
  }
  events: {
    insert(rows: readonly EventRow[]): Promise<void>
    list(query: EventQuery): Promise<EventRow[]>
    /** Drops the whole log of a run, and with it the places of checkpoints whose content is dropped. */
    removeAll(runId: string): Promise<void>
  }
  checkpoints: {
    /** Of `assistant_delta` only the latest keeps its content: the others are of no use any more. */
    put(row: CheckpointRow): Promise<void>
    getLast(runId: string): Found<CheckpointRow>
    /** The places of all that were ever taken at some sequences, in their order: what a reader of the log is told. */
    listPlaces(range: { runId: string; after: number; through: number }): Promise<CheckpointPlace[]>
    /** Drops the content of all but the last one of each run that has ended; gives of how many runs. */
    compact(limit: number): Promise<number>
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
    listByRun(runId: string): Promise<ToolCallRow[]>
    /** A result of the same reading at the same revision of the owner's things, of `runId` if it has one. */
    findReusable(query: { ownerId: string; signature: string; revision: number; runId: string }): Found<ToolCallRow>
  }
  idempotency: {
    get(ownerId: string, key: string): Found<IdempotencyRow>
    insert(row: IdempotencyRow): Promise<void>
    removeBefore(createdAt: number): Promise<number>
  }
  conversations: {
    get(ownerId: string, id: string): Found<ConversationRow>
    /** Those changed last come first; the cursor is the last one of the page before. */
    list(ownerId: string, page?: PageQuery<{ updatedAt: number; id: string }>): Promise<ConversationRow[]>
    insert(row: ConversationRow): Promise<void>
    touch(ownerId: string, id: string, updatedAt: number): Promise<void>
  }
  threads: {
    get(threadId: string): Found<ThreadRow>
    /** The conversation's thread that none has superseded. */
    getCurrent(ownerId: string, conversationId: string): Found<ThreadRow>
    insert(row: ThreadRow): Promise<void>
    supersede(threadId: string, supersededBy: string): Promise<void>
  }
  configurations: {
    get(configurationId: string): Found<ConfigurationRow>
    put(row: ConfigurationRow): Promise<void>
  }
  messages: {
    /** In the order in which they began. */
    list(ownerId: string, conversationId: string, page?: PageQuery<number>): Promise<StoredMessageRow[]>
    insert(row: MessageRow): Promise<void>
    update(runId: string, messageId: string, patch: Pick<MessageRow, 'status' | 'content'>): Promise<void>
  }
  transcript: {
    append(row: TranscriptRow): Promise<void>
    list(ownerId: string, conversationId: string): Promise<TranscriptRow[]>
    listByRun(runId: string): Promise<TranscriptRow[]>
  }
  observations: {
    list(ownerId: string, conversationId: string): Promise<ObservationRow[]>
    insert(row: ObservationRow): Promise<void>
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

/** What tells other processes that runs have changed. It may lose anything at any time: whoever listens also polls. */
export interface StoreHints {
  publish(runIds: readonly string[]): Promise<void>
  /** Calls back with a run that changed, or undefined when any may have: after a lost connection. */
  subscribe(listener: (runId: string | undefined) => void): () => void
}

/** Where the server keeps everything: the one contract that each database implements. */
export interface RunServerStore {
  /**
   * Runs `work` so that all that it writes is kept, or nothing. Transactions must not be nested: use the one given.
   * `work` may be run again where another transaction got in its way.
   *
   * @throws whatever `work` throws, after everything was taken back; StoreConflictError where a unique key is taken;
   * StoreUnavailableError where the database is gone.
   */
  transaction<Result>(work: (transaction: RunServerTransaction) => Promise<Result>): Promise<Result>
  /** Runs `work`, which only reads, on one state of everything. */
  read<Result>(work: (transaction: RunServerTransaction) => Promise<Result>): Promise<Result>
  /**
   * Runs `work`, which only reads, each read on what was committed when it came: for whoever reads again as soon as
   * something changes. Reads that are begun at once are done in their order.
   */
  glance<Result>(work: (transaction: RunServerTransaction) => Promise<Result>): Promise<Result>
  /** Whether other processes may write to it too, so that changes have to be looked for. */
  readonly isShared: boolean
  readonly hints?: StoreHints
  /** Lets what was begun end, then closes. */
  close(): Promise<void>
}
