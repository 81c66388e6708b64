import type { KeyboardEvent } from 'react'

/** Calls back for Escape, unless something nearer to the focus or an input method takes it. */
export function onEscape(event: KeyboardEvent, callback: () => void): void {
  if (event.key !== 'Escape' || event.nativeEvent.isComposing || event.defaultPrevented) return
  event.preventDefault()
  callback()
}
