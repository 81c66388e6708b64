import { useCallback, useSyncExternalStore } from 'react'

const subscribeToNothing = () => () => undefined

function subscribeToSeconds(listener: () => void): () => void {
  const timer = setInterval(listener, 1000)
  return () => clearInterval(timer)
}

/**
 * The time in milliseconds, to the second, told anew while `isTicking`; `undefined` on a server and in hydration,
 * whose clocks differ.
 */
export function useNow({ now = Date.now, isTicking }: { now?: (() => number) | undefined; isTicking: boolean }) {
  const read = useCallback(() => (isTicking ? Math.floor(now() / 1000) * 1000 : undefined), [now, isTicking])
  return useSyncExternalStore(isTicking ? subscribeToSeconds : subscribeToNothing, read, () => undefined)
}
