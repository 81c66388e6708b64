import type { OpenAIInput } from '../openAI/openAIInput.ts'
import type { OpenAIFields, OpenAIProviderOptions } from '../openAI/openAIProviderOptions.ts'

/** What is asked of a Responses service. */
export interface OpenAIResponsesInput extends OpenAIInput {
  /** The whole input as the wire has it, instead of the one that is built from the session: nothing is added. */
  items?: readonly OpenAIFields[] | undefined
}

/** Where a Responses service is, and what every request says. */
export interface OpenAIResponsesProviderOptions extends OpenAIProviderOptions {
  /** `openai-responses` by default; two services in one runtime need two ids. */
  id?: string | undefined
  /**
   * Whether responses are made in the background: a lost stream is then taken up again where it broke, and a run can be
   * cancelled. No by default, as a response whose stream is lost is then lost.
   */
  background?: boolean | undefined
  /**
   * Whether the service keeps responses; yes by default, and a request then names the response before it. Otherwise
   * each request holds the conversation, encrypted reasoning included.
   */
  store?: boolean | undefined
}
