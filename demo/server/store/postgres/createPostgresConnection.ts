import type { ClientBase } from 'pg'
import type { SqlConnection, SqlRecord } from '../sql/sqlConnection.ts'

/** One client of PostgreSQL; every statement is prepared once for it. */
export function createPostgresConnection(client: ClientBase): SqlConnection {
  const statements = new Map<string, { text: string; name: string }>()
  const prepare = (sql: string) => {
    const known = statements.get(sql)
    if (known !== undefined) return known
    let count = 0
    const text = sql.replaceAll('?', () => `$${(count += 1)}`)
    const made = { text, name: `s${statements.size}` }
    statements.set(sql, made)
    return made
  }
  const query = (sql: string, values: readonly unknown[]) =>
    client.query<SqlRecord>({ ...prepare(sql), values: [...values] })
  return {
    dialect: 'postgres',
    all: async (sql, values) => (await query(sql, values)).rows,
    run: async (sql, values) => (await query(sql, values)).rowCount ?? 0,
  }
}
