export { createOpenAIChatProvider } from './createOpenAIChatProvider.ts'
export type {
  OpenAIChatContext,
  OpenAIChatInput,
  OpenAIChatProvider,
  OpenAIChatProviderOptions,
  OpenAIChatRequest,
} from './createOpenAIChatProvider.ts'
export type { OpenAIChatMessage } from './openAIChatMessage.ts'
export type { OpenAIInput, OpenAIToolResult } from '../openAI/openAIInput.ts'
export type { OpenAIFields, OpenAIProviderOptions } from '../openAI/openAIProviderOptions.ts'
export type { AdapterChunk } from '../support/adapterChunk.ts'
export type { AdapterHeaders, AdapterHttpOptions } from '../support/adapterHttpOptions.ts'
