import type { MouseEvent, ReactNode } from 'react'

/**
 * A button of the components; `kind` is its weight on the page. One that can do nothing for now keeps the focus, which
 * a `disabled` one would drop to the page's body under the finger that pressed it.
 */
export function Button(props: {
  children: ReactNode
  onClick: () => void
  kind?: 'primary' | 'danger' | 'plain' | 'quiet'
  isDisabled?: boolean
  /** Whether it is what was chosen, among buttons that show a choice. */
  isChosen?: boolean | undefined
  /** Whether the focus goes here when the button that held it went away. */
  takesFocus?: boolean
  /** Whether Enter in a field of its form presses it. */
  isSubmit?: boolean
}) {
  const { children, onClick, kind = 'plain', isDisabled = false, isChosen, takesFocus = false, isSubmit = false } = props
  function press({ detail }: MouseEvent) {
    // A double click's second half was not meant for the button that the first one brought under the pointer.
    if (!isDisabled && detail <= 1) onClick()
  }
  return (
    <button
      type={isSubmit ? 'submit' : 'button'}
      className={`agent-button agent-button-${kind}`}
      aria-disabled={isDisabled ? true : undefined}
      aria-pressed={isChosen}
      data-takes-focus={takesFocus ? '' : undefined}
      onClick={press}
    >
      {children}
    </button>
  )
}
