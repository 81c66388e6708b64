import { RunServerError } from '../runServerError.ts'

/** A body whose sender stopped, or broke off what parts it, before it was whole: none of the server's own errors. */
export function createBodyCutError(cause: unknown): RunServerError {
  return new RunServerError({ status: 400, code: 'body_cut', message: 'The body ended before it was whole.', cause })
}
