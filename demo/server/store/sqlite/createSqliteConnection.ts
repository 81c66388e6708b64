import type { Database, Statement } from 'better-sqlite3'
import type { SqlConnection, SqlRecord } from '../sql/sqlConnection.ts'

/** SQLite's answers come at once; they are promised, so that one set of queries serves both databases. */
export function createSqliteConnection(database: Database): SqlConnection {
  const statements = new Map<string, Statement>()
  const prepare = (sql: string) => {
    const known = statements.get(sql)
    if (known !== undefined) return known
    const made = database.prepare(sql)
    statements.set(sql, made)
    return made
  }
  return {
    dialect: 'sqlite',
    all: async (sql, values) => prepare(sql).all(values) as SqlRecord[],
    run: async (sql, values) => prepare(sql).run(values).changes,
  }
}
