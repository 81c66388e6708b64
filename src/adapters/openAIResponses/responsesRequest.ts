import type { HttpStreamRequest } from '../../transport/openHttpStream.ts'
import type { OpenAIFields } from '../openAI/openAIProviderOptions.ts'
import { getAdapterHeaders } from '../support/getAdapterHeaders.ts'
import type { OpenAIResponsesProviderOptions } from './openAIResponsesInput.ts'
import type { ResponseState } from './responseState.ts'

/** A request of the Responses wire; its body is made when it is sent, as a resume sends none. */
export interface OpenAIResponsesRequest {
  createBody(): OpenAIFields
  /** Tells the run's context where a resume goes on. */
  restore(state: ResponseState): void
}

/** Makes the HTTP requests of a Responses service. */
export interface ResponsesRequests {
  create(body: OpenAIFields): Promise<HttpStreamRequest>
  /** Follows a response after one of its events. */
  follow(responseId: string, after: number): Promise<HttpStreamRequest>
  cancel(responseId: string): Promise<HttpStreamRequest>
}

export function createResponsesRequests(options: OpenAIResponsesProviderOptions): ResponsesRequests {
  const { credentials } = options
  const whole = options.url ?? `${(options.baseUrl ?? '/v1').replace(/\/+$/, '')}/responses`
  const [base = '', query] = whole.split('?', 2)

  const urlOf = (path: string, ...fields: readonly string[]): string => {
    const stated = [query, ...fields].filter(Boolean).join('&')
    return `${base.replace(/\/+$/, '')}${path}${stated === '' ? '' : `?${stated}`}`
  }
  const sent = async (url: string, rest: Pick<HttpStreamRequest, 'method' | 'body'> = {}): Promise<HttpStreamRequest> => {
    const own: Record<string, string> = rest.body === undefined ? {} : { 'content-type': 'application/json' }
    return { url, headers: await getAdapterHeaders(own, options.headers), credentials, ...rest }
  }

  return {
    create: (body) => sent(urlOf(''), { body: JSON.stringify(body) }),
    follow: (responseId, after) =>
      sent(urlOf(`/${encodeURIComponent(responseId)}`, 'stream=true', `starting_after=${after}`)),
    cancel: (responseId) => sent(urlOf(`/${encodeURIComponent(responseId)}/cancel`), { method: 'POST' }),
  }
}
