import type { Database } from 'better-sqlite3'
import type { RunServerTransaction } from '../runServerStore.ts'
import { createSqliteTables } from './createSqliteTables.ts'

/** The reads and writes of the contract on one SQLite connection; whoever calls holds the transaction. */
export function createSqliteTransaction(database: Database): RunServerTransaction {
  const tables = createSqliteTables(database)
  const { users, runs, events, approvals, toolCalls, idempotency } = tables
  const { conversations, messages, transcript, documents, memories, publications } = tables
  return {
    users: {
      has: async (ownerId) => users.get({ ownerId }) !== undefined,
      insert: async (ownerId, createdAt) => users.insert({ ownerId, createdAt }),
    },
    runs: {
      get: async (runId) => runs.get({ runId }),
      insert: async (row) => runs.insert(row),
      update: async (runId, patch) => void runs.update({ runId }, patch),
      findUnfinished: async (ownerId, conversationId) =>
        runs.get({ ownerId, conversationId, status: 'running' }) ??
        runs.get({ ownerId, conversationId, status: 'interrupted' }),
      listByConversation: async (ownerId, conversationId) =>
        runs.list({ ownerId, conversationId }, 'created_at, rowid'),
      listRunning: async () => runs.list({ status: 'running' }, 'rowid'),
      countRunning: async (ownerId) => runs.list({ ownerId, status: 'running' }, 'rowid').length,
    },
    events: {
      insert: async (rows) => {
        for (const row of rows) events.insert({ ...row, type: row.event.type })
      },
      // Filtered in the database: a log may hold many thousands of deltas that nobody wants parsed.
      list: async ({ runId, after, limit = -1, types = null, messageId = null }) =>
        events
          .query(
            `SELECT ${events.columns} FROM run_events WHERE run_id = :runId AND seq > :after
             AND (:types IS NULL OR event_type IN (SELECT value FROM json_each(:types)))
             AND (:messageId IS NULL OR json_extract(event_json, '$.payload.messageId') = :messageId)
             ORDER BY seq LIMIT :limit`,
            { runId, after, limit, types: types && JSON.stringify(types), messageId },
          )
          .map(({ type: _type, ...row }) => row),
    },
    approvals: {
      get: async (runId, approvalId) => approvals.get({ runId, approvalId }),
      findByToolCall: async (runId, toolCallId) => approvals.get({ runId, toolCallId }),
      insert: async (row) => approvals.insert(row),
      update: async (runId, approvalId, patch) => void approvals.update({ runId, approvalId }, patch),
      listWaiting: async (runId) => approvals.list({ runId, status: 'waiting' }, 'approval_id'),
    },
    toolCalls: {
      get: async (runId, toolCallId) => toolCalls.get({ runId, toolCallId }),
      insert: async (row) => toolCalls.insert(row),
      update: async (runId, toolCallId, patch) => void toolCalls.update({ runId, toolCallId }, patch),
    },
    idempotency: {
      get: async (ownerId, key) => idempotency.get({ ownerId, key }),
      insert: async (row) => idempotency.insert(row),
    },
    conversations: {
      get: async (ownerId, id) => conversations.get({ ownerId, id }),
      list: async (ownerId) => conversations.list({ ownerId }, 'updated_at DESC, id'),
      insert: async (row) => conversations.insert(row),
      touch: async (ownerId, id, updatedAt) => void conversations.update({ ownerId, id }, { updatedAt }),
    },
    messages: {
      list: async (ownerId, conversationId) => messages.list({ ownerId, conversationId }, 'position'),
      insert: async (row) => messages.insert(row),
      update: async (runId, messageId, patch) => void messages.update({ runId, messageId }, patch),
    },
    transcript: {
      append: async (row) => transcript.insert(row),
      list: async (ownerId, conversationId) =>
        transcript.query(
          `SELECT ${transcript.columns} FROM transcript JOIN runs ON runs.run_id = transcript.run_id
           WHERE runs.owner_id = ? AND runs.conversation_id = ? ORDER BY transcript.position`,
          [ownerId, conversationId],
        ),
    },
    documents: {
      list: async (ownerId) => documents.list({ ownerId }, 'updated_at DESC, id'),
      get: async (ownerId, id) => documents.get({ ownerId, id }),
      insert: async (row) => documents.insert(row),
      update: async ({ ownerId, id, ...patch }) => void documents.update({ ownerId, id }, patch),
      remove: async (ownerId, id) => documents.remove({ ownerId, id }) > 0,
    },
    memories: {
      list: async (ownerId) => memories.list({ ownerId }, 'position'),
      insert: async (row) => memories.insert(row),
    },
    publications: {
      get: async (ownerId, documentId) => publications.get({ ownerId, documentId }),
      put: async (row) => publications.insert(row, true),
    },
  }
}
