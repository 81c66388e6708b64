/** An AbortController of one's own that an outer signal aborts too; `release` leaves no listener on the outer one. */
export function followSignal(outer: AbortSignal | undefined): { controller: AbortController; release: () => void } {
  const controller = new AbortController()
  const onAbort = () => controller.abort(outer?.reason)
  if (outer?.aborted) onAbort()
  else outer?.addEventListener('abort', onAbort, { once: true })
  return { controller, release: () => outer?.removeEventListener('abort', onAbort) }
}
