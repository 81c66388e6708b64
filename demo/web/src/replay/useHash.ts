import { useSyncExternalStore } from 'react'

const subscribe = (listener: () => void) => {
  window.addEventListener('hashchange', listener)
  return () => window.removeEventListener('hashchange', listener)
}

/** The address's hash as it is now. */
export const useHash = () => useSyncExternalStore(subscribe, () => window.location.hash)
