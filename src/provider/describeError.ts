import { AgentModuleError } from '../agentModuleError.ts'

const maxLength = 300
const unknownFailure = 'The provider failed; its own log says why.'
const plainCode = /^[\w.:-]{1,64}$/

/**
 * Makes of any error what may stand in state: a code, and words of a bounded length; never its cause or stack. The
 * words of a foreign error may hold anything, a URL with a token in it: only those of this package's class are shown,
 * which a provider throws to have its own shown.
 *
 * @experimental
 * @example
 * transformError: (error, { events }) => [events.create('run.failed', { error: describeError(error) })]
 */
export function describeError(
  error: unknown,
  /** Whose error it is: the words begin with that name, where they do not already. */
  { adapter }: { adapter?: string | undefined } = {},
): ErrorDescription {
  const described = describe(error)
  if (adapter === undefined || described.message.startsWith(adapter)) return described
  return { ...described, message: `${adapter}: ${described.message}` }
}

function describe(error: unknown): ErrorDescription {
  try {
    return read(error)
  } catch {
    // A thrown proxy or a getter may throw again when it is read.
    return { code: 'provider_error', message: unknownFailure, retryable: false }
  }
}

/** What is told of an error. */
interface ErrorDescription {
  code: string
  message: string
  retryable: boolean
}

function read(error: unknown): ErrorDescription {
  const { code, retryable } = typeof error === 'object' && error !== null ? (error as Record<string, unknown>) : {}
  const message = AgentModuleError.isInstance(error) ? error.message : unknownFailure
  return {
    code: typeof code === 'string' && plainCode.test(code) ? code : 'provider_error',
    message: message.length > maxLength ? `${message.slice(0, maxLength)}…` : message,
    retryable: retryable === true,
  }
}
