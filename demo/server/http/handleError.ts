import type { ErrorHandler } from 'hono'
import { RunServerError } from '../runServerError.ts'
import type { HttpEnv } from './httpEnv.ts'

/** Answers every refusal as `{ code, message }`; what it did not foresee is told to the log, not to the client. */
export const handleError: ErrorHandler<HttpEnv> = (error, context) => {
  if (error instanceof RunServerError) {
    const { status, code, message, details } = error
    return context.json({ ...details, code, message }, status)
  }
  console.error(error)
  return context.json({ code: 'internal_error', message: 'The server met an error of its own.' }, 500)
}
