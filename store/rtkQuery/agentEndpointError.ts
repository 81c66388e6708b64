/**
 * A failure that is this library's to tell, in the shape of RTK Query's FetchBaseQueryError; `data.code` is literal:
 * `invalid_response`, or the code of an AgentRuntimeError or of the run's wire.
 */
export interface AgentEndpointError {
  readonly status: 'CUSTOM_ERROR'
  /** What happened, and what to do. */
  readonly error: string
  readonly data: { readonly code: string; readonly retryable: boolean }
}
