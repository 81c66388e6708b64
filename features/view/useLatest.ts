import { useInsertionEffect, useRef, type RefObject } from 'react'

/** Keeps a value as the latest render had it, for what is called later. */
export function useLatest<Value>(value: Value): RefObject<Value> {
  const latest = useRef(value)
  useInsertionEffect(() => {
    latest.current = value
  })
  return latest
}
