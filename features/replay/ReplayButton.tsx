import type { ReactElement } from 'react'

const shapes = {
  play: <path className="agent-replay-solid" d="M5 3.5v9l7.5-4.5z" />,
  pause: <path d="M5.5 4v8M10.5 4v8" />,
  previousEvent: <path d="M10 4L6 8l4 4" />,
  nextEvent: <path d="M6 4l4 4-4 4" />,
  previousMoment: <path d="M12.5 4l-4 4 4 4M7.5 4l-4 4 4 4" />,
  nextMoment: <path d="M3.5 4l4 4-4 4M8.5 4l4 4-4 4" />,
} as const satisfies Record<string, ReactElement>

/** A button with a picture; one that can do nothing for now keeps the focus. */
export function ReplayButton(props: {
  icon: keyof typeof shapes
  label: string
  isDisabled?: boolean
  isPrimary?: boolean
  onClick: () => void
}) {
  const { icon, label, isDisabled = false, isPrimary = false, onClick } = props
  return (
    <button
      type="button"
      className="agent-replay-button"
      data-primary={isPrimary}
      aria-label={label}
      title={label}
      aria-disabled={isDisabled ? true : undefined}
      onClick={() => {
        if (!isDisabled) onClick()
      }}
    >
      <svg className="agent-icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
        {shapes[icon]}
      </svg>
    </button>
  )
}
