import { useEffect, useRef } from 'react'

/** Calls `abort` once the component has gone for good: StrictMode's rehearsal, which mounts again at once, is none. */
export function useAbortOnUnmount(isOn: boolean, abort: () => void): void {
  const latest = useRef({ isOn, abort })
  useEffect(() => {
    latest.current = { isOn, abort }
  })
  const mounts = useRef(0)
  useEffect(() => {
    mounts.current += 1
    return () => {
      mounts.current -= 1
      queueMicrotask(() => {
        if (mounts.current === 0 && latest.current.isOn) latest.current.abort()
      })
    }
  }, [])
}
