import type { IdTree } from './idTree.ts'

/**
 * Exactly which event ids a run has taken. Most ids are the default `runId:sequence:type`: of such a one only its
 * type's code is kept, at its sequence's place in `types`; all others stand in a tree.
 */
export interface AgentProcessedEvents {
  /** The sequence of the first character of `types`. */
  readonly first: number
  /** A type's code a sequence; a space where none was taken under its default id. */
  readonly types: string
  readonly others: IdTree
}
