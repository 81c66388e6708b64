import { StoreConflictError } from '../storeConflictError.ts'
import { StoreUnavailableError } from '../storeUnavailableError.ts'

/** The file is locked, the disk is full or broken, or the file is gone or may not be written: none is for good. */
const gone = /^SQLITE_(?:BUSY|LOCKED|FULL|IOERR|CANTOPEN|READONLY|NOMEM)(?:_|$)/

/** The contract's own error for one of the driver's; any other error as it is. */
export function explainSqliteError(error: unknown): unknown {
  const code = (error as { code?: unknown } | null)?.code
  // The driver's own words, which have no code: a request may still be under way while the server stops.
  if (error instanceof TypeError && error.message === 'The database connection is not open') {
    return new StoreUnavailableError({ cause: error })
  }
  if (typeof code !== 'string') return error
  if (code === 'SQLITE_CONSTRAINT_UNIQUE' || code === 'SQLITE_CONSTRAINT_PRIMARYKEY') {
    return new StoreConflictError({ cause: error })
  }
  return gone.test(code) ? new StoreUnavailableError({ cause: error }) : error
}
