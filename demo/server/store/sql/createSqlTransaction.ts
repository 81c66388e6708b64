import type { RunServerTransaction } from '../runServerStore.ts'
import { createConversationQueries } from './createConversationQueries.ts'
import { createLogQueries } from './createLogQueries.ts'
import { createRunQueries } from './createRunQueries.ts'
import { createSqlTables, type SqlTables } from './createSqlTables.ts'
import { createWorkspaceQueries } from './createWorkspaceQueries.ts'
import type { SqlConnection } from './sqlConnection.ts'

/** The reads and writes of the contract on one connection; whoever calls holds the transaction. */
export function createSqlTransaction(connection: SqlConnection): RunServerTransaction {
  const tables = createSqlTables(connection)
  return {
    async lock(key) {
      // A transaction of SQLite's has the database to itself.
      if (connection.dialect === 'sqlite') return
      await connection.all('SELECT pg_advisory_xact_lock(hashtextextended(?, 0))', [key])
    },
    ...createRunQueries(connection, tables),
    ...createLogQueries(connection, tables),
    ...createConversationQueries(tables),
    ...createWorkspaceQueries(connection, tables),
    ...createDecisionQueries(connection, tables),
  }
}

function createDecisionQueries(
  connection: SqlConnection,
  { approvals, toolCalls, idempotency }: SqlTables,
): Pick<RunServerTransaction, 'approvals' | 'toolCalls' | 'idempotency'> {
  return {
    approvals: {
      get: (runId, approvalId) => approvals.get({ runId, approvalId }),
      findByToolCall: (runId, toolCallId) => approvals.get({ runId, toolCallId }),
      insert: (row) => approvals.insert(row),
      async update(runId, approvalId, patch) {
        await approvals.update({ runId, approvalId }, patch)
      },
      listWaiting: (runId) => approvals.list({ runId, status: 'waiting' }, 'ORDER BY "approvalId"'),
    },
    toolCalls: {
      get: (runId, toolCallId) => toolCalls.get({ runId, toolCallId }),
      insert: (row) => toolCalls.insert(row),
      async update(runId, toolCallId, patch) {
        await toolCalls.update({ runId, toolCallId }, patch)
      },
      listByRun: (runId) => toolCalls.list({ runId }, 'ORDER BY "toolCallId"'),
      findReusable: async ({ ownerId, signature, revision, runId }) =>
        (
          await toolCalls.list(
            { ownerId, signature, revision, status: 'succeeded' },
            'ORDER BY CASE WHEN "runId" = ? THEN 0 ELSE 1 END, "completedAt" DESC LIMIT 1',
            [runId],
          )
        )[0],
    },
    idempotency: {
      get: (ownerId, key) => idempotency.get({ ownerId, key }),
      insert: (row) => idempotency.insert(row),
      async removeBefore(createdAt) {
        return connection.run('DELETE FROM "agentIdempotencyRecords" WHERE "createdAt" < ?', [createdAt])
      },
    },
  }
}
