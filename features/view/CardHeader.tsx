import type { ReactNode } from 'react'

/** A card's first line: what it is, which may wrap, and on the right how it stands, which keeps its place. */
export function CardHeader({ children, status }: { children: ReactNode; status: ReactNode }) {
  return (
    <div className="agent-card-header">
      <div className="agent-card-heading">{children}</div>
      {status}
    </div>
  )
}
