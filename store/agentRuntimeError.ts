import { AgentModuleError } from '../src/agentModuleError.ts'

/** Why the Redux module refused something, or gave up a command: `interrupted`, `command_timeout`. */
export type AgentRuntimeErrorCode =
  | 'middleware_missing'
  | 'reducer_missing'
  | 'path_taken'
  | 'invalid_option'
  | 'runtime_destroyed'
  | 'unknown_provider'
  | 'invalid_provider'
  | 'invalid_session'
  | 'missing_run'
  | 'run_ended'
  | 'approval_not_waiting'
  | 'not_editable'
  | 'version_conflict'
  | 'tool_not_failed'
  | 'not_retryable'
  | 'unsupported_capability'
  | 'not_resumable'
  | 'other_tab'
  | 'not_followable'
  | 'already_submitted'
  | 'invalid_command'
  | 'restoring'
  | 'time_travel'
  | 'interrupted'
  | 'command_timeout'

/**
 * An error of the Redux module; its `code` is literal. Nothing was sent, but for a `command_timeout` and a command that
 * was `interrupted` under way, of which it is not known what became.
 */
export class AgentRuntimeError extends AgentModuleError<AgentRuntimeErrorCode> {
  /** Whether the same wish may be sent again as it is. */
  readonly retryable: boolean

  constructor(code: AgentRuntimeErrorCode, message: string, options: { cause?: unknown; retryable?: boolean } = {}) {
    super({ name: 'AgentRuntimeError', code, message, cause: options.cause })
    this.retryable = options.retryable ?? false
  }
}
