import type { SqlConnection } from './sqlConnection.ts'
import { migrations } from './migrations.ts'

/** Brings the schema up to date, in the caller's transaction; the caller holds the lock that keeps others out. */
export async function applyMigrations(connection: SqlConnection, now: number): Promise<void> {
  await connection.run(
    'CREATE TABLE IF NOT EXISTS "agentMigrations" ("id" BIGINT PRIMARY KEY, "appliedAt" BIGINT NOT NULL)',
    [],
  )
  const applied = new Set((await connection.all('SELECT "id" FROM "agentMigrations"', [])).map(({ id }) => id))
  for (const { id, getStatements } of migrations) {
    if (applied.has(id)) continue
    for (const statement of getStatements(connection.dialect)) await connection.run(statement, [])
    await connection.run('INSERT INTO "agentMigrations" ("id", "appliedAt") VALUES (?, ?)', [id, now])
  }
}
