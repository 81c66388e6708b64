import type { AgUiProgress } from './agUiProgress.ts'

/** Leaves out what there is nothing of. */
export function toProgress(progress: AgUiProgress): AgUiProgress | undefined {
  const entries = Object.entries(progress).filter(
    ([, value]) => value !== undefined && value !== 0 && !(Array.isArray(value) && value.length === 0),
  )
  return entries.length === 0 ? undefined : (Object.fromEntries(entries) as AgUiProgress)
}
