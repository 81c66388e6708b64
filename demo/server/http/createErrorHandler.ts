import type { ErrorHandler } from 'hono'
import { RunServerError } from '../runServerError.ts'
import type { RunObserver } from '../runs/runObserver.ts'
import { StoreUnavailableError } from '../store/storeUnavailableError.ts'
import type { HttpEnv } from './httpEnv.ts'
import type { HttpObserver } from './httpObserver.ts'

/** Answers every refusal as `{ code, message }`; what it did not foresee is told to the observer, not to the client. */
export function createErrorHandler(observers: {
  runs: Pick<RunObserver, 'failed'>
  http: Pick<HttpObserver, 'refused'>
}): ErrorHandler<HttpEnv> {
  return (error, context) => {
    if (error instanceof RunServerError) {
      const { status, code, message, details, headers } = error
      if (status === 429) observers.http.refused?.(code)
      return context.json({ ...details, code, message }, status, headers)
    }
    observers.runs.failed?.(error, {})
    if (error instanceof StoreUnavailableError) {
      const { code } = error
      context.header('retry-after', '1')
      return context.json({ code, message: 'The database cannot be reached or written for now. Try again in a moment.' }, 503)
    }
    return context.json({ code: 'internal_error', message: 'The server met an error of its own.' }, 500)
  }
}
