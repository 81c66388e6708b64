import type { KeyboardEvent, RefObject } from 'react'

/** Up, Down, Home and End move among the search field and the links below it. Tab works as everywhere. */
export function useListKeys(containerRef: RefObject<HTMLElement | null>) {
  return (event: KeyboardEvent) => {
    const isInput = event.target instanceof HTMLInputElement
    if (event.altKey || event.ctrlKey || event.metaKey || event.nativeEvent.isComposing) return
    const links = [...(containerRef.current?.querySelectorAll<HTMLElement>('a[href]') ?? [])]
    const search = containerRef.current?.querySelector('input')
    const index = links.indexOf(document.activeElement as HTMLElement)
    if (!isInput && index === -1) return

    const target = {
      ArrowDown: links[index + 1],
      ArrowUp: index > 0 ? links[index - 1] : search,
      Home: isInput ? undefined : links[0],
      End: isInput ? undefined : links.at(-1),
    }[event.key]
    if (!target || target === event.target) return
    event.preventDefault()
    target.focus()
  }
}
