/** Gives the `fetch` to use: the app's, or the host's, which is looked up at each call, as it may be put in place late. */
export function getFetch(given: typeof fetch | undefined): typeof fetch {
  return given ?? ((...input) => globalThis.fetch(...input))
}
