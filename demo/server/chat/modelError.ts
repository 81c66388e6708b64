/** The model gave no usable answer; the message is fit for the person's eyes. */
export class ModelError extends Error {
  readonly code: string
  readonly retryable: boolean

  constructor(options: { code: string; message: string; retryable: boolean; cause?: unknown }) {
    super(options.message, { cause: options.cause })
    this.name = 'ModelError'
    this.code = options.code
    this.retryable = options.retryable
  }
}
