import type { RunServerTransaction } from '../runServerStore.ts'
import type { SqlTables } from './createSqlTables.ts'

type Conversations = Pick<
  RunServerTransaction,
  'conversations' | 'threads' | 'configurations' | 'messages' | 'transcript' | 'observations'
>

/** Conversations with their threads, and what was said in them: for the page, for the model, as observed. */
export function createConversationQueries(tables: SqlTables): Conversations {
  const { conversations, threads, configurations, messages, storedMessages, transcripts, observations } = tables
  return {
    conversations: {
      get: (ownerId, id) => conversations.get({ ownerId, id }),
      list(ownerId, page) {
        const order = 'ORDER BY "updatedAt" DESC, "id"'
        if (page === undefined) return conversations.list({ ownerId }, order)
        const { before, limit } = page
        if (before === undefined) return conversations.list({ ownerId }, `${order} LIMIT ?`, [limit])
        const { updatedAt, id } = before
        const rest = `AND ("updatedAt" < ? OR ("updatedAt" = ? AND "id" > ?)) ${order} LIMIT ?`
        return conversations.list({ ownerId }, rest, [updatedAt, updatedAt, id, limit])
      },
      insert: (row) => conversations.insert(row),
      async touch(ownerId, id, updatedAt) {
        await conversations.update({ ownerId, id }, { updatedAt })
      },
    },
    threads: {
      get: (threadId) => threads.get({ threadId }),
      getCurrent: async (ownerId, conversationId) =>
        (await threads.list({ ownerId, conversationId }, 'AND "supersededBy" IS NULL'))[0],
      insert: (row) => threads.insert(row),
      async supersede(threadId, supersededBy) {
        await threads.update({ threadId }, { supersededBy })
      },
    },
    configurations: {
      get: (configurationId) => configurations.get({ configurationId }),
      put: (row) => configurations.put(row, ['configurationId']),
    },
    messages: {
      async list(ownerId, conversationId, page) {
        const where = { ownerId, conversationId }
        if (page === undefined) return storedMessages.list(where, 'ORDER BY "position"')
        const { before = Number.MAX_SAFE_INTEGER, limit } = page
        const rest = 'AND "position" < ? ORDER BY "position" DESC LIMIT ?'
        return (await storedMessages.list(where, rest, [before, limit])).reverse()
      },
      insert: (row) => messages.insert(row),
      async update(runId, messageId, patch) {
        await messages.update({ runId, messageId }, patch)
      },
    },
    transcript: {
      append: (row) => transcripts.insert(row),
      list: (ownerId, conversationId) =>
        transcripts.query(
          `SELECT ${transcripts.columns} FROM "agentTranscripts"
           JOIN "agentRuns" ON "agentRuns"."runId" = "agentTranscripts"."runId"
           WHERE "agentRuns"."ownerId" = ? AND "agentRuns"."conversationId" = ? ORDER BY "agentTranscripts"."position"`,
          [ownerId, conversationId],
        ),
      listByRun: (runId) => transcripts.list({ runId }, 'ORDER BY "position"'),
    },
    observations: {
      list: (ownerId, conversationId) => observations.list({ ownerId, conversationId }, 'ORDER BY "position"'),
      insert: (row) => observations.insert(row),
    },
  }
}
