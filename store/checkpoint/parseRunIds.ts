import { isRecord } from '../../src/protocol/predicates.ts'

/** The list of the runs that have a key of their own, oldest first. */
export interface SettledRuns {
  readonly runs: readonly string[]
}

/** Reads a list of settled runs, each once whatever the list says; nothing where it is none. */
export function parseRunIds(value: unknown): readonly string[] | undefined {
  const runs = isRecord(value) ? value.runs : undefined
  return Array.isArray(runs) && runs.every((runId) => typeof runId === 'string') ? [...new Set(runs)] : undefined
}
