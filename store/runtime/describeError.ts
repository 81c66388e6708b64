const maxLength = 300

/** Makes of any error what may stand in state: a code, and words of a bounded length; never its cause or stack. */
export function describeError(error: unknown): { code: string; message: string; retryable: boolean } {
  const stated = typeof error === 'object' && error !== null ? (error as Record<string, unknown>) : {}
  const message = typeof stated.message === 'string' && stated.message !== '' ? stated.message : 'The provider failed.'
  return {
    code: typeof stated.code === 'string' ? stated.code : 'provider_error',
    message: message.length > maxLength ? `${message.slice(0, maxLength)}…` : message,
    retryable: stated.retryable === true,
  }
}
