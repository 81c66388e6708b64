import type { ErrorHandler } from 'hono'
import { RunServerError } from '../runServerError.ts'
import { StoreUnavailableError } from '../store/storeUnavailableError.ts'
import type { HttpEnv } from './httpEnv.ts'

/** Answers every refusal as `{ code, message }`; what it did not foresee is told to the log, not to the client. */
export const handleError: ErrorHandler<HttpEnv> = (error, context) => {
  if (error instanceof RunServerError) {
    const { status, code, message, details } = error
    return context.json({ ...details, code, message }, status)
  }
  console.error(error)
  if (error instanceof StoreUnavailableError) {
    const { code } = error
    return context.json({ code, message: 'The database cannot be reached. Try again in a moment.' }, 503)
  }
  return context.json({ code: 'internal_error', message: 'The server met an error of its own.' }, 500)
}
