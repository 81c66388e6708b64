import { AdapterError } from '../support/adapterError.ts'
import { agUiAdapter as adapter } from './agUiAdapter.ts'

/**
 * `refused`: the runtime did not take the answer; `expired`: the question can only be declined by now;
 * `open_interrupts`: another run of the conversation waits for answers; `invalid_input`: there is nowhere to send to.
 */
export type AgUiErrorCode = 'refused' | 'expired' | 'open_interrupts' | 'invalid_input'

/** Why the AG-UI adapter did not send something, or why the runtime did not take it. */
export class AgUiError extends AdapterError<AgUiErrorCode> {
  constructor(code: AgUiErrorCode, message: string, options: { retryable?: boolean; cause?: unknown } = {}) {
    super({ name: 'AgUiError', adapter, code, message, ...options })
  }
}
