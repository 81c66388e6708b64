/** A tool could not do what it was asked; the message is for the model and the person alike. */
export class ToolError extends Error {
  readonly code: string
  readonly retryable: boolean
  /** Whether it may have been done all the same. */
  readonly isOutcomeUnknown: boolean

  constructor(options: { code: string; message: string; retryable?: boolean; isOutcomeUnknown?: boolean }) {
    super(options.message)
    this.name = 'ToolError'
    this.code = options.code
    this.retryable = options.retryable ?? false
    this.isOutcomeUnknown = options.isOutcomeUnknown ?? false
  }
}
