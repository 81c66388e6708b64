/**
 * Says whether a value is a promise, or like one, where none may be. Its rejection is nobody's then, so that it is not
 * reported as unhandled beside the error that the promise itself is.
 */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return false
  if (!('then' in value) || typeof value.then !== 'function') return false
  ;(value as PromiseLike<unknown>).then(undefined, () => undefined)
  return true
}
