import type { Database } from 'better-sqlite3'
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
} from '../rows.ts'
import { createSqlTable } from './createSqlTable.ts'

const text = (name: string) => ({ name, kind: 'text' as const })
const number = (name: string) => ({ name, kind: 'number' as const })
const boolean = (name: string) => ({ name, kind: 'boolean' as const })
const json = (name: string) => ({ name, kind: 'json' as const })

/** How each row lies in its table. */
export function createSqliteTables(database: Database) {
  return {
    users: createSqlTable<{ ownerId: string; createdAt: number }>(database, 'users', {
      ownerId: text('owner_id'),
      createdAt: number('created_at'),
    }),
    runs: createSqlTable<RunRow>(database, 'runs', {
      runId: text('run_id'),
      ownerId: text('owner_id'),
      conversationId: text('conversation_id'),
      assistantMessageId: text('assistant_message_id'),
      status: text('status'),
      lastSeq: number('last_seq'),
      model: text('model'),
      mode: text('mode'),
      enableThinking: boolean('enable_thinking'),
      currentDocumentId: text('current_document_id'),
      waitingSince: number('waiting_since'),
      createdAt: number('created_at'),
      updatedAt: number('updated_at'),
    }),
    events: createSqlTable<EventRow & { type: string }>(database, 'run_events', {
      runId: text('run_id'),
      seq: number('seq'),
      type: text('event_type'),
      event: json('event_json'),
      createdAt: number('created_at'),
    }),
    approvals: createSqlTable<ApprovalRow>(database, 'approvals', {
      runId: text('run_id'),
      approvalId: text('approval_id'),
      toolCallId: text('tool_call_id'),
      toolName: text('tool_name'),
      arguments: json('arguments_json'),
      preview: json('preview_json'),
      editable: boolean('editable'),
      version: number('version'),
      status: text('status'),
      resolvedSeq: number('resolved_seq'),
    }),
    toolCalls: createSqlTable<ToolCallRow>(database, 'tool_calls', {
      runId: text('run_id'),
      toolCallId: text('tool_call_id'),
      name: text('name'),
      arguments: text('arguments'),
      attempt: number('attempt'),
      status: text('status'),
      holdUntil: number('hold_until'),
      retriedBy: text('retried_by'),
    }),
    idempotency: createSqlTable<IdempotencyRow>(database, 'idempotency', {
      ownerId: text('owner_id'),
      key: text('key'),
      bodyHash: text('body_hash'),
      answer: json('answer_json'),
    }),
    conversations: createSqlTable<ConversationRow>(database, 'conversations', {
      ownerId: text('owner_id'),
      id: text('id'),
      title: text('title'),
      createdAt: number('created_at'),
      updatedAt: number('updated_at'),
    }),
    messages: createSqlTable<MessageRow>(database, 'messages', {
      ownerId: text('owner_id'),
      conversationId: text('conversation_id'),
      runId: text('run_id'),
      messageId: text('message_id'),
      role: text('role'),
      content: json('content_json'),
      status: text('status'),
      createdAt: number('created_at'),
    }),
    transcript: createSqlTable<TranscriptRow>(database, 'transcript', {
      runId: text('run_id'),
      message: json('message_json'),
    }),
    documents: createSqlTable<DocumentRow>(database, 'documents', {
      ownerId: text('owner_id'),
      id: text('id'),
      title: text('title'),
      content: text('content'),
      version: number('version'),
      updatedAt: number('updated_at'),
    }),
    memories: createSqlTable<MemoryRow>(database, 'memories', {
      ownerId: text('owner_id'),
      id: text('id'),
      text: text('text'),
      createdAt: number('created_at'),
    }),
    publications: createSqlTable<PublicationRow>(database, 'publications', {
      ownerId: text('owner_id'),
      documentId: text('document_id'),
      title: text('title'),
      content: text('content'),
      version: number('version'),
      publishedAt: number('published_at'),
    }),
  }
}
