import { StoreConflictError } from '../storeConflictError.ts'
import { StoreUnavailableError } from '../storeUnavailableError.ts'

/** Serialization failure, deadlock, lock timeout, unique violation: the same work done again may well succeed. */
const retryable: ReadonlySet<unknown> = new Set(['40001', '40P01', '55P03', '23505'])
/**
 * The server goes down, is but a copy that may not be written, has no room or connection left, or cannot use its disk;
 * or it or the network dropped this connection.
 */
const gone = /^(?:08|53|57P0|58|25P0[34]|25006)|^E(?:CONN|PIPE|TIMEDOUT|HOSTUNREACH|NOTFOUND|AI_AGAIN)|^ENOENT$/

/** Whether the same transaction may be tried once more. */
export function isPostgresConflict(error: unknown): boolean {
  return retryable.has(codeOf(error))
}

/** The contract's own error for one of the driver's; any other error as it is. */
export function explainPostgresError(error: unknown): unknown {
  const code = codeOf(error)
  if (code === '23505') return new StoreConflictError({ cause: error })
  if (typeof code === 'string' ? gone.test(code) : isLostConnection(error)) {
    return new StoreUnavailableError({ cause: error })
  }
  return error
}

function codeOf(error: unknown): unknown {
  return (error as { code?: unknown } | null)?.code
}

/** The driver's own words, which have no code; a request may still be under way while the server stops. */
const lost = new RegExp(
  [
    ...['^Connection terminated', '^Cannot use a pool after calling end'],
    ...['Client has encountered a connection error', 'timeout exceeded when trying to connect'],
  ].join('|'),
)

function isLostConnection(error: unknown): boolean {
  return error instanceof Error && lost.test(error.message)
}
