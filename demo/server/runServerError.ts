/** A refusal that the client can read: an HTTP status, a literal code, and words that say what to do. */
export class RunServerError extends Error {
  readonly status: RunServerErrorStatus
  readonly code: string
  /** Further fields of the answer, such as the decision that stands. */
  readonly details: Readonly<Record<string, unknown>>

  constructor(options: {
    status: RunServerErrorStatus
    code: string
    message: string
    details?: Record<string, unknown>
    cause?: unknown
  }) {
    super(options.message, { cause: options.cause })
    this.name = 'RunServerError'
    this.status = options.status
    this.code = options.code
    this.details = options.details ?? {}
  }
}

export type RunServerErrorStatus = 400 | 403 | 404 | 409 | 410 | 413 | 415 | 421 | 422 | 429 | 500 | 503
