import { encodePathSegment } from '../../transport/encodePathSegment.ts'
import type { HttpStreamRequest } from '../../transport/openHttpStream.ts'
import type { OpenAIFields } from '../openAI/openAIProviderOptions.ts'
import { getAdapterHeaders } from '../support/getAdapterHeaders.ts'
import type { OpenAIResponsesProviderOptions } from './openAIResponsesInput.ts'
import type { ResponseState } from './responseState.ts'

/** A request of the Responses wire; its body is made when it is sent, as a resume sends none. */
export interface OpenAIResponsesRequest {
  createBody(): OpenAIFields
  /** The key of the command that it carries out, for a service or a proxy that takes a request once. */
  readonly idempotencyKey?: string | undefined
  /** Tells the run's context where a resume goes on. */
  restore(state: ResponseState): void
}

/** Makes the HTTP requests of a Responses service. */
export interface ResponsesRequests {
  create(request: OpenAIResponsesRequest): Promise<HttpStreamRequest>
  /** Follows a response after one of its events. */
  follow(responseId: string, after: number): Promise<HttpStreamRequest>
  cancel(responseId: string, idempotencyKey: string): Promise<HttpStreamRequest>
}

export function createResponsesRequests(options: OpenAIResponsesProviderOptions): ResponsesRequests {
  const { credentials } = options
  const whole = options.url ?? `${(options.baseUrl ?? '/v1').replace(/\/+$/, '')}/responses`
  const [base = '', query] = whole.split('?', 2)

  const urlOf = (path: string, ...fields: readonly string[]): string => {
    const stated = [query, ...fields].filter(Boolean).join('&')
    return `${base.replace(/\/+$/, '')}${path}${stated === '' ? '' : `?${stated}`}`
  }
  const sent = async (
    url: string,
    own: Readonly<Record<string, string>>,
    rest: Pick<HttpStreamRequest, 'method' | 'body'> = {},
  ): Promise<HttpStreamRequest> => ({
    url,
    headers: await getAdapterHeaders(own, options.headers),
    credentials,
    ...rest,
  })

  return {
    create(request) {
      const { idempotencyKey: key } = request
      const own = { 'content-type': 'application/json', ...(key !== undefined && { 'idempotency-key': key }) }
      return sent(urlOf(''), own, { body: JSON.stringify(request.createBody()) })
    },
    follow: (responseId, after) =>
      sent(urlOf(`/${encodePathSegment(responseId)}`, 'stream=true', `starting_after=${after}`), {}),
    cancel: (responseId, key) =>
      sent(urlOf(`/${encodePathSegment(responseId)}/cancel`), { 'idempotency-key': key }, { method: 'POST' }),
  }
}
