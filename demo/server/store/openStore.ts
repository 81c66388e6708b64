import { createPostgresStore } from './postgres/createPostgresStore.ts'
import type { RunServerStore } from './runServerStore.ts'
import { createSqliteStore } from './sqlite/createSqliteStore.ts'

/**
 * Opens the PostgreSQL database of a URL, else the SQLite file at `path`.
 *
 * @throws StoreUnavailableError where the database cannot be reached.
 */
export async function openStore(options: { databaseUrl?: string; path: string }): Promise<RunServerStore> {
  const { databaseUrl, path } = options
  return databaseUrl ? createPostgresStore({ connectionString: databaseUrl }) : createSqliteStore(path)
}
