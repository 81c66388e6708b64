import type { AgentEntityBase } from './agentEntityBase.ts'

/** A step, a plan's item or a subagent's work. */
export interface AgentTaskState extends AgentEntityBase {
  readonly title: string
  readonly description?: string
  readonly progress?: number
  readonly result?: unknown
}
