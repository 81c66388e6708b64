import type { ItemStatus } from './itemStatus.ts'

const check = <path d="M3.5 8.5l3 3 6-7" />
const cross = <path d="M4 4l8 8M12 4l-8 8" />
const bar = <path d="M4 8h8" />
const arc = <path d="M8 2.5a5.5 5.5 0 1 1-5.5 5.5" />
const dots = <path d="M3.5 8h.01M8 8h.01M12.5 8h.01" />
const clock = <path d="M8 4.5V8l2.5 1.5M8 2.2a5.8 5.8 0 1 1 0 11.6A5.8 5.8 0 0 1 8 2.2" />

const shapes: Record<ItemStatus, React.ReactElement> = {
  pending: dots,
  streaming: arc,
  running: arc,
  waiting: clock,
  asked: clock,
  completed: check,
  failed: cross,
  cancelled: bar,
  ended: bar,
  detached: bar,
  lost: dots,
}

/** The picture of a status; the word beside it says the same. */
export function StatusIcon({ status }: { status: ItemStatus }) {
  return (
    <svg className="agent-icon" data-status={status} viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      {shapes[status]}
    </svg>
  )
}
