const marker = Symbol.for('redux-agent.error')

/** An error of this package: `message` says what happened, why and what to do; `code` is literal. */
export interface AgentModuleError<Code extends string = string> extends Error {
  readonly code: Code
}

/**
 * Makes an error of this package. It is marked by a registered symbol, so that `isAgentModuleError` holds across
 * two copies of the package in one app.
 */
export function createAgentError<Code extends string>(options: {
  name: string
  code: Code
  message: string
  cause?: unknown
}): AgentModuleError<Code> {
  const error = new Error(options.message, options.cause === undefined ? undefined : { cause: options.cause })
  return Object.assign(error, { name: options.name, code: options.code, [marker]: true })
}

/** Says whether an error came from this package. */
export function isAgentModuleError(value: unknown): value is AgentModuleError {
  return typeof value === 'object' && value !== null && marker in value
}
