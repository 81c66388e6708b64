import type {
  ApprovalRow,
  CheckpointRow,
  ConfigurationRow,
  ConversationRow,
  DocumentRow,
  EventRow,
  IdempotencyRow,
  LeaseRow,
  MemoryRow,
  ObservationRow,
  PublicationRow,
  RunRow,
  StoredMessageRow,
  ThreadRow,
  ToolCallRow,
  TranscriptRow,
} from '../rows.ts'
import { createSqlTable } from './createSqlTable.ts'
import type { SqlConnection } from './sqlConnection.ts'

const json = (name: string) => ({ name, kind: 'json' as const })
const message = {
  ...({ ownerId: 'text', conversationId: 'text', runId: 'text', messageId: 'text', role: 'text' } as const),
  ...({ content: json('contentJson'), status: 'text', createdAt: 'number' } as const),
}

/** How each row lies in its table. */
export function createSqlTables(connection: SqlConnection) {
  return {
    owners: createSqlTable<{ ownerId: string; revision: number; createdAt: number }>(connection, 'workspaceOwners', {
      ...({ ownerId: 'text', revision: 'number', createdAt: 'number' } as const),
    }),
    runs: createSqlTable<RunRow>(connection, 'agentRuns', {
      ...({ runId: 'text', ownerId: 'text', conversationId: 'text', threadId: 'text' } as const),
      ...({ configurationId: 'text', resumesRunId: 'text', assistantMessageId: 'text' } as const),
      ...({ status: 'text', firstSeq: 'number' } as const),
      ...({ lastSeq: 'number', model: 'text', mode: 'text', enableThinking: 'boolean' } as const),
      ...({ currentDocumentId: 'text', currentDocumentHash: 'text', waitingSince: 'number' } as const),
      ...({ interruption: 'text', createdAt: 'number', updatedAt: 'number', expiresAt: 'number' } as const),
    }),
    leases: createSqlTable<LeaseRow>(connection, 'agentRuns', {
      ...({ runId: 'text', epoch: 'number', leaseHolder: 'text', leaseExpiresAt: 'number' } as const),
      ...({ recoveries: 'number', idleRecoveries: 'number', recoveredAtSeq: 'number' } as const),
    }),
    events: createSqlTable<EventRow & { type: string; messageId: string | null }>(connection, 'agentRunEvents', {
      ...({ runId: 'text', seq: 'number', type: { name: 'eventType', kind: 'text' }, messageId: 'text' } as const),
      ...({ event: json('eventJson'), createdAt: 'number' } as const),
    }),
    checkpoints: createSqlTable<CheckpointRow>(connection, 'agentRunCheckpoints', {
      ...({ runId: 'text', seq: 'number', kind: 'text', checkpoint: json('checkpointJson') } as const),
      createdAt: 'number',
    }),
    approvals: createSqlTable<ApprovalRow>(connection, 'agentApprovals', {
      ...({ runId: 'text', approvalId: 'text', toolCallId: 'text', toolName: 'text' } as const),
      ...({ arguments: json('argumentsJson'), preview: json('previewJson'), editable: 'boolean' } as const),
      ...({ version: 'number', status: 'text', expiresAt: 'number', answer: 'text', resolvedSeq: 'number' } as const),
    }),
    toolCalls: createSqlTable<ToolCallRow>(connection, 'agentToolCalls', {
      ...({ runId: 'text', ownerId: 'text', toolCallId: 'text', name: 'text', arguments: 'text' } as const),
      ...({ signature: 'text', attempt: 'number', status: 'text', isExternal: 'boolean' } as const),
      ...({ result: json('resultJson'), revision: 'number', holdUntil: 'number' } as const),
      ...({ retriedBy: 'text', completedAt: 'number' } as const),
    }),
    idempotency: createSqlTable<IdempotencyRow>(connection, 'agentIdempotencyRecords', {
      ...({ ownerId: 'text', key: 'text', bodyHash: 'text', answer: json('answerJson'), createdAt: 'number' } as const),
    }),
    conversations: createSqlTable<ConversationRow>(connection, 'agentConversations', {
      ...({ ownerId: 'text', id: 'text', title: 'text', createdAt: 'number', updatedAt: 'number' } as const),
    }),
    threads: createSqlTable<ThreadRow>(connection, 'agentThreads', {
      ...({ threadId: 'text', ownerId: 'text', conversationId: 'text', configurationId: 'text' } as const),
      ...({ createdAt: 'number', supersededBy: 'text' } as const),
    }),
    configurations: createSqlTable<ConfigurationRow>(connection, 'agentConfigurations', {
      ...({ configurationId: 'text', configuration: json('configurationJson'), createdAt: 'number' } as const),
    }),
    messages: createSqlTable<Omit<StoredMessageRow, 'position'>>(connection, 'agentMessages', message),
    storedMessages: createSqlTable<StoredMessageRow>(connection, 'agentMessages', { position: 'number', ...message }),
    transcripts: createSqlTable<TranscriptRow>(connection, 'agentTranscripts', {
      ...({ runId: 'text', message: json('messageJson') } as const),
    }),
    observations: createSqlTable<ObservationRow>(connection, 'agentObservations', {
      ...({ ownerId: 'text', conversationId: 'text', runId: 'text', approvalId: 'text', toolCallId: 'text' } as const),
      ...({ question: 'text', answer: 'text', observedAt: 'number' } as const),
    }),
    documents: createSqlTable<DocumentRow>(connection, 'workspaceDocuments', {
      ...({ ownerId: 'text', id: 'text', title: 'text', content: 'text' } as const),
      ...({ version: 'number', updatedAt: 'number' } as const),
    }),
    memories: createSqlTable<MemoryRow>(connection, 'workspaceMemories', {
      ...({ ownerId: 'text', id: 'text', text: 'text', createdAt: 'number' } as const),
    }),
    publications: createSqlTable<PublicationRow>(connection, 'workspacePublications', {
      ...({ ownerId: 'text', documentId: 'text', title: 'text', content: 'text' } as const),
      ...({ version: 'number', publishedAt: 'number' } as const),
    }),
  }
}

export type SqlTables = ReturnType<typeof createSqlTables>
