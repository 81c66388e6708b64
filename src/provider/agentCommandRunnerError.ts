import { AgentModuleError } from '../agentModuleError.ts'

/** Why a command was not run, or not to its end, by fault of the command or of the protocol. */
export type AgentCommandRunnerErrorCode = 'unsupported_capability' | 'invalid_command' | 'protocol_error'

/** What `runAgentCommand` rejects with, apart from the provider's and the consumer's own errors (RFC, section 9.3). */
export class AgentCommandRunnerError extends AgentModuleError<AgentCommandRunnerErrorCode> {
  constructor(code: AgentCommandRunnerErrorCode, message: string, options: { cause?: unknown } = {}) {
    super({ name: 'AgentCommandRunnerError', code, message, cause: options.cause })
  }
}
