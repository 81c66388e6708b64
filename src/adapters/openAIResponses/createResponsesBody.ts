import { omitUndefined } from '../../state/omitUndefined.ts'
import type { OpenAIFields } from '../openAI/openAIProviderOptions.ts'
import type { ResponsesInput } from './buildResponsesInput.ts'
import type { OpenAIResponsesInput, OpenAIResponsesProviderOptions } from './openAIResponsesInput.ts'

/** Whether the service keeps no response, so that each request must hold the conversation. */
export const isStateless = ({ store, body }: OpenAIResponsesProviderOptions): boolean =>
  store === false || body?.store === false

/** Makes the body of a request: the adapter's own fields, over them the provider's, over them the input's. */
export function createResponsesBody(
  options: OpenAIResponsesProviderOptions,
  input: OpenAIResponsesInput,
  { input: items, previousResponseId }: ResponsesInput,
): OpenAIFields {
  const tools = input.tools ?? options.tools
  const body = { ...options.body, ...input.body }
  return {
    ...omitUndefined({
      model: input.model ?? options.model,
      instructions: options.instructions,
      tools: tools && tools.length > 0 ? tools : undefined,
      store: options.store,
      background: options.background || undefined,
      include: isStateless(options) ? ['reasoning.encrypted_content'] : undefined,
      // A conversation that the service keeps goes on by itself.
      previous_response_id: body.conversation == null ? previousResponseId : undefined,
    }),
    input: items,
    ...body,
    stream: true,
  }
}
