import { AdapterError } from '../support/adapterError.ts'
import { openAIResponsesAdapter as adapter } from './openAIResponsesAdapter.ts'

/**
 * `not_editable`: an approval is approved or rejected; `unknown_approval`, `unknown_response`: nothing is known of it
 * here; `refused`: the service will not do it.
 */
export type OpenAIResponsesCommandErrorCode = 'not_editable' | 'unknown_approval' | 'unknown_response' | 'refused'

/** Why a command cannot be carried out; sending it again changes nothing, unless `retryable` says so. */
export class OpenAIResponsesCommandError extends AdapterError<OpenAIResponsesCommandErrorCode> {
  constructor(
    code: OpenAIResponsesCommandErrorCode,
    message: string,
    options: { retryable?: boolean; cause?: unknown } = {},
  ) {
    super({ name: 'OpenAIResponsesCommandError', adapter, code, message, ...options })
  }
}
