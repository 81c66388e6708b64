import type { RunServerTransaction } from '../runServerStore.ts'
import { checkpointKinds, type CheckpointPlace, type EventRow } from '../rows.ts'
import type { SqlTables } from './createSqlTables.ts'
import { inList } from './inList.ts'
import type { SqlConnection } from './sqlConnection.ts'

const ended = `('completed', 'failed', 'cancelled')`
/** A checkpoint whose content is of no use any more: its place stays as long as the log, for whoever replays that. */
const isEmptied = `"checkpointJson" = 'null'`

/** The log of events and the checkpoints in it. */
export function createLogQueries(
  connection: SqlConnection,
  { events, checkpoints }: SqlTables,
): Pick<RunServerTransaction, 'events' | 'checkpoints'> {
  return {
    events: {
      insert: (rows) => events.insertAll(rows.map(addColumns)),
      // Filtered in the database: a log may hold many thousands of deltas that nobody wants parsed.
      async list({ runId, after, limit, types, messageId }) {
        const isType = types && inList(connection, '"eventType"', types)
        const rest = [
          'AND "seq" > ?',
          ...(isType ? [`AND ${isType.sql}`] : []),
          ...(messageId === undefined ? [] : ['AND "messageId" = ?']),
          'ORDER BY "seq"',
          ...(limit === undefined ? [] : ['LIMIT ?']),
        ]
        const values = [after, isType?.value, messageId, limit].filter((value) => value !== undefined)
        const rows = await events.list({ runId }, rest.join(' '), values)
        return rows.map(({ type: _type, messageId: _messageId, ...row }) => row)
      },
      async removeAll(runId) {
        await events.remove({ runId })
        await connection.run(`DELETE FROM "agentRunCheckpoints" WHERE "runId" = ? AND ${isEmptied}`, [runId])
      },
    },
    checkpoints: {
      async put(row) {
        const { runId, kind } = row
        if (kind === 'assistant_delta') {
          await connection.run(
            `UPDATE "agentRunCheckpoints" SET "checkpointJson" = 'null'
             WHERE "runId" = ? AND "kind" = ? AND NOT ${isEmptied}`,
            [runId, kind],
          )
        }
        await checkpoints.put(row, ['runId', 'seq', 'kind'])
      },
      getLast: async (runId) =>
        (await checkpoints.list({ runId }, `AND NOT ${isEmptied} ORDER BY "seq" DESC LIMIT 1`))[0],
      async listPlaces({ runId, after, through }) {
        const sql = 'SELECT "seq", "kind" FROM "agentRunCheckpoints" WHERE "runId" = ? AND "seq" > ? AND "seq" <= ?'
        const places = (await connection.all(sql, [runId, after, through])) as unknown as CheckpointPlace[]
        return places.sort(comparePlaces)
      },
      async compact(limit) {
        const runs = await connection.all(
          `SELECT c."runId" AS "runId", max(c."seq") AS "last" FROM "agentRunCheckpoints" c
           JOIN "agentRuns" r ON r."runId" = c."runId" WHERE r."status" IN ${ended} AND NOT ${isEmptied}
           GROUP BY c."runId" HAVING count(*) > 1 AND min(c."seq") < max(c."seq") LIMIT ?`,
          [limit],
        )
        for (const { runId, last } of runs) {
          await connection.run(
            `UPDATE "agentRunCheckpoints" SET "checkpointJson" = 'null'
             WHERE "runId" = ? AND "seq" < ? AND NOT ${isEmptied}`,
            [runId, last],
          )
        }
        return runs.length
      },
    },
  }
}

/** At one event they come in the order of the protocol, which is that in which they are taken. */
function comparePlaces(one: CheckpointPlace, other: CheckpointPlace): number {
  return one.seq - other.seq || checkpointKinds.indexOf(one.kind) - checkpointKinds.indexOf(other.kind)
}

function addColumns(row: EventRow) {
  const { messageId } = row.event.payload as { messageId?: string }
  return { ...row, type: row.event.type, messageId: messageId ?? null }
}
