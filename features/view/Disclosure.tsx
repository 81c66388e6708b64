import { useId, useState, type ReactNode } from 'react'

/**
 * A button that shows and hides what is behind it; what is hidden is not rendered, however long it may be. It stands
 * open while `isLive`, until the person chooses for themselves.
 */
export function Disclosure(props: { label: ReactNode; children: ReactNode; isLive?: boolean }) {
  const { label, children, isLive = false } = props
  const [choice, setChoice] = useState<boolean>()
  const isOpen = choice ?? isLive
  const id = useId()
  return (
    <div className="agent-disclosure" data-open={isOpen}>
      <button
        type="button"
        className="agent-disclosure-button"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setChoice(!isOpen)}
      >
        <svg className="agent-chevron" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
          <path d="M6 3.5L10.5 8 6 12.5" />
        </svg>
        {label}
      </button>
      {isOpen && (
        <div id={id} className="agent-disclosure-content">
          {children}
        </div>
      )}
    </div>
  )
}
