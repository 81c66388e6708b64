import type { ReactNode } from 'react'
import { useRunError, type RunErrorSource } from './useRunError.ts'

/** Stands where no row is yet, unless a run failed before it had one: then something has happened, and is told below. */
export function EmptyTimeline({ source, children }: { source: RunErrorSource; children: ReactNode }) {
  return useRunError(source) ? null : <div className="agent-empty">{children}</div>
}
