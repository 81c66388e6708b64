export type SqlDialect = 'sqlite' | 'postgres'
export type SqlRecord = Record<string, unknown>

/** One connection within a transaction. Values stand as `?` in the SQL, of either database. */
export interface SqlConnection {
  readonly dialect: SqlDialect
  /** The rows of a SELECT, or of a statement with RETURNING. */
  all(sql: string, values: readonly unknown[]): Promise<SqlRecord[]>
  /** How many rows a statement changed. */
  run(sql: string, values: readonly unknown[]): Promise<number>
}
