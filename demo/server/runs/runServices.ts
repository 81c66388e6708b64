import type { ModelClient } from '../chat/createModelClient.ts'
import type { Shelf } from '../documents/createShelf.ts'
import type { SetTimer } from '../setTimer.ts'
import type { RunServerStore } from '../store/runServerStore.ts'
import type { AgentTool } from '../tools/agentTool.ts'
import type { RunSignals } from './createRunSignals.ts'

/** What the runs of one server share. */
export interface RunServices {
  store: RunServerStore
  signals: RunSignals
  tools: ReadonlyMap<string, AgentTool>
  model: ModelClient
  shelf: Shelf
  setTimer: SetTimer
  now(): number
  createId(): string
  settings: RunSettings
}

/** Times are in milliseconds. */
export interface RunSettings {
  defaultModel: string
  /** The models that a start may name. */
  models: ReadonlySet<string>
  /** How many runs of one owner may be under way at once. */
  maxRunningRuns: number
  /** How long deltas are gathered into one event. */
  gatherMs: number
  /** How long a retryable failure holds the run for a person. */
  holdMs: number
  /** How many answers the model may give in one run. */
  maxSteps: number
  /** How long a person may take to decide. */
  approvalMs: number
  /** How long a run's log is kept after its last change. */
  retentionMs: number
}
