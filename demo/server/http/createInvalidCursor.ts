import { RunServerError } from '../runServerError.ts'

/** Makes the error of a cursor that is none of this server's. */
export function createInvalidCursor(cause?: unknown): RunServerError {
  return new RunServerError({
    status: 400,
    code: 'invalid_cursor',
    message: 'This is no cursor of this list. Give the nextCursor of the page before, or leave it out.',
    cause,
  })
}
