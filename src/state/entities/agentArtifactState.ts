import type { AgentEntityBase } from './agentEntityBase.ts'

/** Something that a run makes: a file, a table, a shared state. */
export interface AgentArtifactState extends AgentEntityBase {
  readonly name: string
  readonly mediaType?: string
  readonly content?: unknown
  readonly version?: string | number
}
