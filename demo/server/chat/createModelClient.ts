import OpenAI from 'openai'
import type { ChatMessage } from './chatMessage.ts'
import { ModelError } from './modelError.ts'

/** A tool as the model is told of it. */
export interface ModelTool {
  name: string
  description: string
  /** JSON Schema of its arguments. */
  parameters: Record<string, unknown>
}

/** Asks a model for its next step. */
export interface ModelClient {
  /**
   * Streams the chunks of one answer as the wire sends them.
   *
   * @throws ModelError where the service refuses or cannot be reached; the signal's reason after an abort.
   */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<unknown>
}

export interface ModelRequest {
  model: string
  messages: readonly ChatMessage[]
  tools: readonly ModelTool[]
  enableThinking: boolean
}

/** A client of any service that speaks OpenAI's chat completions. */
export function createModelClient(options: {
  baseURL?: string
  apiKey: string
  fetch?: typeof fetch
  /** How this service is told to think or not, where it can be told: there is no common parameter. */
  getThinkingParameters?(enabled: boolean): Record<string, unknown>
}): ModelClient {
  const client = new OpenAI({ baseURL: options.baseURL, apiKey: options.apiKey, fetch: options.fetch, maxRetries: 2 })
  return {
    async *stream({ model, messages, tools, enableThinking }, signal) {
      try {
        const stream = await client.chat.completions.create(
          {
            model,
            messages: [...messages],
            stream: true,
            stream_options: { include_usage: true },
            ...(tools.length > 0 && {
              tools: tools.map((tool) => ({ type: 'function' as const, function: { ...tool } })),
            }),
            ...options.getThinkingParameters?.(enableThinking),
          },
          { signal },
        )
        yield* stream
      } catch (error) {
        signal.throwIfAborted()
        throw toModelError(error)
      }
      // The client ends its stream in silence when it is aborted, which must not look like the end of the answer.
      signal.throwIfAborted()
    },
  }
}

/** The service's own words may hold the key or the person's text, so that only its status is told. */
function toModelError(error: unknown): ModelError {
  if (error instanceof OpenAI.APIError && error.status !== undefined) {
    const advice = error.status === 401 || error.status === 403 ? ' Check OPENAI_API_KEY.' : ' Try again later.'
    return new ModelError({
      code: 'model_refused',
      message: `The model service answered with status ${error.status}.${advice}`,
      retryable: error.status === 429 || error.status >= 500,
      cause: error,
    })
  }
  return new ModelError({
    code: 'model_unreachable',
    message: 'The model service could not be reached, or its answer broke off. Check OPENAI_BASE_URL, or try again.',
    retryable: true,
    cause: error,
  })
}
