import { AgentModuleError } from '../src/agentModuleError.ts'

/** Why the Redux module refused something, or gave up a command: `interrupted`, `command_timeout`. */
export type AgentRuntimeErrorCode =
  | 'middleware_missing'
  | 'reducer_missing'
  | 'path_taken'
  | 'unknown_provider'
  | 'missing_run'
  | 'run_ended'
  | 'approval_not_waiting'
  | 'not_editable'
  | 'version_conflict'
  | 'tool_not_failed'
  | 'not_retryable'
  | 'unsupported_capability'
  | 'already_submitted'
  | 'invalid_command'
  | 'time_travel'
  | 'interrupted'
  | 'command_timeout'

/** An error of the Redux module; its `code` is literal. But for a `command_timeout`, nothing was sent. */
export class AgentRuntimeError extends AgentModuleError<AgentRuntimeErrorCode> {
  constructor(code: AgentRuntimeErrorCode, message: string, options: { cause?: unknown } = {}) {
    super({ name: 'AgentRuntimeError', code, message, ...options })
  }
}
