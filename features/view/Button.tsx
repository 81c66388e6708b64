import type { ReactNode } from 'react'

/** A button of the components; `kind` is its weight on the page. */
export function Button(props: {
  children: ReactNode
  onClick: () => void
  kind?: 'primary' | 'danger' | 'plain' | 'quiet'
  isDisabled?: boolean
  /** Whether the focus goes here when the button that held it went away. */
  takesFocus?: boolean
}) {
  const { children, onClick, kind = 'plain', isDisabled = false, takesFocus = false } = props
  return (
    <button
      type="button"
      className={`agent-button agent-button-${kind}`}
      disabled={isDisabled}
      data-takes-focus={takesFocus ? '' : undefined}
      onClick={onClick}
    >
      {children}
    </button>
  )
}
