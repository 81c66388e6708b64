import { useLayoutEffect, useRef, type ReactNode } from 'react'

interface PassingButtonProps {
  readonly className: string
  readonly onClick: () => void
  /** In place of `disabled`, which would drop the focus while the button stays. */
  readonly 'aria-disabled'?: boolean
  readonly children: ReactNode
}

/** A button that goes with what it was for: the focus that it has then passes to what it stands in. */
export function PassingButton({ children, ...props }: PassingButtonProps) {
  const buttonRef = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => {
    const button = buttonRef.current
    const around = button?.parentElement?.closest<HTMLElement>('[tabindex]')
    // Before it leaves the page: after that the browser has dropped the focus.
    return () => {
      if (document.activeElement === button) around?.focus({ preventScroll: true })
    }
  }, [])
  return (
    <button type="button" ref={buttonRef} {...props}>
      {children}
    </button>
  )
}
