import type { RunRow } from '../rows.ts'
import type { RunVersion, RunServerTransaction } from '../runServerStore.ts'
import type { SqlTables } from './createSqlTables.ts'
import { inList } from './inList.ts'
import type { SqlConnection } from './sqlConnection.ts'

const unfinished = `"status" IN ('running', 'interrupted')`

/** Runs and the leases on them, which lie in one table: a run's counter and its epoch change in one statement. */
export function createRunQueries(
  connection: SqlConnection,
  { runs, leases }: SqlTables,
): Pick<RunServerTransaction, 'runs' | 'leases'> {
  // A transaction of SQLite's has the database to itself.
  const forUpdate = connection.dialect === 'postgres' ? 'FOR UPDATE' : ''
  const take = (condition: string) =>
    `UPDATE "agentRuns" SET "lastSeq" = "lastSeq" + ?, "expiresAt" = "expiresAt" + ? - "updatedAt", "updatedAt" = ?
     WHERE "runId" = ? AND ${condition} RETURNING ${runs.columns}`
  const takeWithLease = take(`"status" = 'running' AND "epoch" = ?`)
  const takeWithout = take(unfinished)
  const takeSequences: RunServerTransaction['runs']['takeSequences'] = async ({ runId, count, now, epoch }) => {
    const values = [count, now, now, runId]
    const withLease = epoch !== undefined
    const rows = await runs.query(withLease ? takeWithLease : takeWithout, withLease ? [...values, epoch] : values)
    return rows[0]
  }
  return {
    runs: {
      get: (runId) => runs.get({ runId }),
      lock: (runId) => runs.get({ runId }, forUpdate),
      insert: (row) => runs.insert(row),
      async update(runId, patch) {
        await runs.update({ runId }, patch)
      },
      takeSequences,
      async takeFreeSequences(requests) {
        if (connection.dialect === 'postgres') {
          const lists = (['runId', 'epoch', 'count', 'now'] as const).map((field) => requests.map((one) => one[field]))
          return runs.query(takeFree(runs.columns), lists)
        }
        const taken: RunRow[] = []
        for (const request of requests) {
          const run = await takeSequences(request)
          if (run !== undefined) taken.push(run)
        }
        return taken
      },
      findUnfinished: async (ownerId, conversationId) =>
        (
          await runs.list(
            { ownerId, conversationId },
            `AND ${unfinished} ORDER BY CASE "status" WHEN 'running' THEN 0 ELSE 1 END, "createdAt" LIMIT 1`,
          )
        )[0],
      listByConversation: (ownerId, conversationId) =>
        runs.list({ ownerId, conversationId }, 'ORDER BY "createdAt", "runId"'),
      listRunning: () => runs.list({ status: 'running' }, 'ORDER BY "createdAt"'),
      async countRunning(ownerId) {
        const sql = `SELECT count(*) AS "count" FROM "agentRuns" WHERE "ownerId" = ? AND "status" = 'running'`
        return Number((await connection.all(sql, [ownerId]))[0]!['count'])
      },
      async countByStatus() {
        const sql = 'SELECT "status", count(*) AS "count" FROM "agentRuns" GROUP BY "status"'
        const found = (await connection.all(sql, [])).map((row) => [row['status'], Number(row['count'])])
        const none = { running: 0, interrupted: 0, completed: 0, failed: 0, cancelled: 0 }
        return { ...none, ...Object.fromEntries(found) }
      },
      async listVersions(runIds) {
        const { sql, value } = inList(connection, '"runId"', runIds)
        const fields = '"runId", "lastSeq", "status", "epoch"'
        const rows = await connection.all(`SELECT ${fields} FROM "agentRuns" WHERE ${sql}`, [value])
        return rows as unknown as RunVersion[]
      },
      listExpired: (now, limit) =>
        runs.query(
          `SELECT ${runs.columns} FROM "agentRuns" WHERE "expiresAt" <= ? AND "firstSeq" <= "lastSeq"
           ORDER BY "expiresAt" LIMIT ?`,
          [now, limit],
        ),
    },
    leases: {
      get: (runId) => leases.get({ runId }),
      async update(runId, patch) {
        await leases.update({ runId }, patch)
      },
      async take(runId, holder, expiresAt) {
        const [row] = await connection.all(
          `UPDATE "agentRuns" SET "epoch" = "epoch" + 1, "leaseHolder" = ?, "leaseExpiresAt" = ?
           WHERE "runId" = ? AND "status" = 'running' RETURNING "epoch"`,
          [holder, expiresAt, runId],
        )
        return row?.['epoch'] as number | undefined
      },
      listAbandoned({ now, node, limit }) {
        const isOwn = node === undefined ? '' : `OR substr("leaseHolder", 1, ${node.length + 1}) = ?`
        return leases.query(
          `SELECT ${leases.columns} FROM "agentRuns" WHERE "status" = 'running' AND ("leaseExpiresAt" <= ? ${isOwn})
           ORDER BY "leaseExpiresAt" LIMIT ?`,
          [now, ...(node === undefined ? [] : [`${node}/`]), limit],
        )
      },
      async renew({ holder, runIds, expiresAt }) {
        const { sql, value } = inList(connection, '"runId"', runIds)
        const rows = await connection.all(
          `UPDATE "agentRuns" SET "leaseExpiresAt" = ? WHERE "leaseHolder" = ? AND "status" = 'running' AND ${sql}
           RETURNING "runId"`,
          [expiresAt, holder, value],
        )
        return rows.map(({ runId }) => runId as string)
      },
      async release(runId, epoch) {
        await leases.update({ runId, epoch }, { leaseHolder: null, leaseExpiresAt: 0 })
      },
    },
  }
}

/** Takes sequences of the runs that nobody has locked. Rows are locked in one order, so that two nodes cannot deadlock. */
function takeFree(columns: string): string {
  return `WITH "free" AS (
      SELECT r."runId", q."count", q."now"
      FROM unnest(?::text[], ?::bigint[], ?::bigint[], ?::bigint[]) AS q("runId", "epoch", "count", "now")
      JOIN "agentRuns" r ON r."runId" = q."runId"
      WHERE r."status" = 'running' AND r."epoch" = q."epoch" ORDER BY r."runId" FOR UPDATE OF r SKIP LOCKED)
    UPDATE "agentRuns" SET "lastSeq" = "agentRuns"."lastSeq" + "free"."count",
      "expiresAt" = "agentRuns"."expiresAt" + "free"."now" - "agentRuns"."updatedAt", "updatedAt" = "free"."now"
    FROM "free" WHERE "agentRuns"."runId" = "free"."runId" RETURNING ${columns}`
}
