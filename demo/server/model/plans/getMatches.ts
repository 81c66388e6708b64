import type { TurnCall } from '../plannedStep.ts'

/** What a search found, best first. */
export function getMatches(search: TurnCall): { id: string; title: string }[] {
  if (search.result.kind !== 'done') return []
  return (search.result.result.documents ?? []) as { id: string; title: string }[]
}
