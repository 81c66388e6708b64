import type { AdapterHttpOptions } from '../support/adapterHttpOptions.ts'

/** JSON fields of a request, as the wire names them. */
export type OpenAIFields = Readonly<Record<string, unknown>>

/** What the providers of OpenAI's wires have in common: where the service is, and what every request says. */
export interface OpenAIProviderOptions extends AdapterHttpOptions {
  /**
   * What stands before the endpoint's own path; `/v1` at the page's own origin by default, which is where a proxy adds
   * the key: a key in a page is everyone's.
   */
  baseUrl?: string | undefined
  /** The whole URL of the endpoint, where it is not under a `baseUrl`; a query is kept. */
  url?: string | undefined
  model?: string | undefined
  /** What the model is told before the conversation. */
  instructions?: string | undefined
  /** Tools that the model may ask for, as the wire states them. */
  tools?: readonly OpenAIFields[] | undefined
  /** Further fields of every request's body, as the wire names them; they go before the adapter's own. */
  body?: OpenAIFields | undefined
}
