import { AgentModuleError } from '../../agentModuleError.ts'

/**
 * `state_unavailable`: who sends the command keeps no state to make the request of; `not_waiting`: the approval is none
 * that waits; `unsupported_command`: the AI SDK has no such thing; `refused`: the server failed before it took the
 * answer up.
 */
export type AiSdkErrorCode = 'state_unavailable' | 'not_waiting' | 'unsupported_command' | 'refused'

/** Why a command did not become a request, or nothing came of it. */
export class AiSdkError extends AgentModuleError<AiSdkErrorCode> {
  /** Whether the same command may succeed later. */
  readonly retryable: boolean

  constructor(code: AiSdkErrorCode, message: string, options: { retryable?: boolean | undefined; cause?: unknown } = {}) {
    super({ name: 'AiSdkError', code, message, cause: options.cause })
    this.retryable = options.retryable ?? false
  }
}
