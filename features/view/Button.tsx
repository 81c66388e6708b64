import type { ReactNode } from 'react'

/** A button of the components; `kind` is its weight on the page. */
export function Button(props: {
  children: ReactNode
  onClick: () => void
  kind?: 'primary' | 'danger' | 'plain' | 'quiet'
  isDisabled?: boolean
}) {
  const { children, onClick, kind = 'plain', isDisabled = false } = props
  return (
    <button type="button" className={`agent-button agent-button-${kind}`} disabled={isDisabled} onClick={onClick}>
      {children}
    </button>
  )
}
