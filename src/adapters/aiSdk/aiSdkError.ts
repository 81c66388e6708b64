import { AdapterError } from '../support/adapterError.ts'
import { aiSdkAdapter as adapter } from './aiSdkAdapter.ts'

/**
 * `state_unavailable`: who sends the command keeps no state to make the request of; `not_waiting`: the approval is none
 * that waits; `stream_lost`: the stream that asks was lost with calls of which nobody knows what became of them;
 * `other_tab`: the stream that asks is open in another tab;
 * `unsupported_command`: the AI SDK has no such thing; `refused`: the server failed before it took the answer up.
 */
export type AiSdkErrorCode =
  | 'state_unavailable'
  | 'not_waiting'
  | 'stream_lost'
  | 'other_tab'
  | 'unsupported_command'
  | 'refused'

/** Why a command did not become a request, or nothing came of it; `retryable` says that the same may succeed later. */
export class AiSdkError extends AdapterError<AiSdkErrorCode> {
  constructor(code: AiSdkErrorCode, message: string, options: { retryable?: boolean | undefined; cause?: unknown } = {}) {
    super({ name: 'AiSdkError', adapter, code, message, ...options })
  }
}
