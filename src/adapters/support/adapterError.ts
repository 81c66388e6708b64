import { AgentModuleError } from '../../agentModuleError.ts'

/** Base of what an adapter itself refuses or is refused: its name stands in the message. */
export class AdapterError<Code extends string> extends AgentModuleError<Code> {
  readonly adapter: string
  /** Whether the same again may succeed later. */
  readonly retryable: boolean

  constructor(options: {
    name: string
    adapter: string
    code: Code
    message: string
    retryable?: boolean | undefined
    cause?: unknown
  }) {
    const { name, adapter, code, message, retryable = false, cause } = options
    super({ name, code, message: `${adapter}: ${message}`, cause })
    this.adapter = adapter
    this.retryable = retryable
  }
}
