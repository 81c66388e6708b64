/** A tool could not do what it was asked; the message is for the model and the person alike. */
export class ToolError extends Error {
  readonly code: string
  readonly retryable: boolean

  constructor(options: { code: string; message: string; retryable?: boolean }) {
    super(options.message)
    this.name = 'ToolError'
    this.code = options.code
    this.retryable = options.retryable ?? false
  }
}
