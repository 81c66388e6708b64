import { useEffect, useRef, type RefObject } from 'react'

/**
 * Gives what is to be called as a button is pressed that goes with what comes of it: once it is not there any more, the
 * box takes the focus, which would be lost otherwise; it stays where the person has moved it meanwhile.
 */
export function useFocusAfterPress(box: RefObject<HTMLElement | null>, isThere: boolean): () => void {
  const isPressed = useRef(false)
  useEffect(() => {
    if (isThere || !isPressed.current) return
    isPressed.current = false
    const { activeElement } = document
    if (activeElement === null || activeElement === document.body) box.current?.focus({ preventScroll: true })
  }, [box, isThere])
  return () => {
    isPressed.current = true
  }
}
