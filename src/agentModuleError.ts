const marker = Symbol.for('redux-agent.error')

/** Base of this package's errors: `message` says what happened, why and what to do; `code` is literal. */
export class AgentModuleError<Code extends string = string> extends Error {
  readonly code: Code

  constructor(options: { name: string; code: Code; message: string; cause?: unknown }) {
    super(options.message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = options.name
    this.code = options.code
    // Not enumerable, so that it stays out of what loggers and test matchers print.
    Object.defineProperty(this, marker, { value: true })
  }

  /** Says whether an error came from this package, also from another copy of it in the same app. */
  static isInstance(value: unknown): value is AgentModuleError {
    return typeof value === 'object' && value !== null && marker in value
  }
}
