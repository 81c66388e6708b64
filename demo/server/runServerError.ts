/** A refusal that the client can read: an HTTP status, a literal code, and words that say what to do. */
export class RunServerError extends Error {
  readonly status: RunServerErrorStatus
  readonly code: string
  /** Further fields of the answer, such as the decision that stands. */
  readonly details: Readonly<Record<string, unknown>>
  /** Headers of the answer, such as how long to wait. */
  readonly headers: Readonly<Record<string, string>>

  constructor(options: {
    status: RunServerErrorStatus
    code: string
    message: string
    details?: Record<string, unknown>
    headers?: Record<string, string>
    cause?: unknown
  }) {
    super(options.message, { cause: options.cause })
    this.name = 'RunServerError'
    this.status = options.status
    this.code = options.code
    this.details = options.details ?? {}
    // Whoever is asked to come later is told when.
    this.headers = options.status === 429 ? { 'retry-after': '5', ...options.headers } : (options.headers ?? {})
  }
}

export type RunServerErrorStatus = 400 | 403 | 404 | 405 | 409 | 410 | 413 | 415 | 421 | 422 | 429 | 500 | 503
