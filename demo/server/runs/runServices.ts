import type { ModelClient } from '../chat/createModelClient.ts'
import type { Shelf } from '../documents/createShelf.ts'
import type { SetTimer } from '../setTimer.ts'
import type { RunServerStore } from '../store/runServerStore.ts'
import type { AgentTool } from '../tools/agentTool.ts'
import type { CrashPoint } from './crashPoint.ts'
import type { RunSignals } from './createRunSignals.ts'
import type { RunObserver } from './runObserver.ts'

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
  /** Whose leases are this process's: `node/instance`. The node's name survives a restart. */
  holder: string
  crashPoint: CrashPoint
  observer: RunObserver
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
  /** How many characters of an answer are streamed from one checkpoint to the next. */
  checkpointLength: number
  /** How long a retryable failure holds the run for a person. */
  holdMs: number
  /** How long a call of which nobody knows whether it was done waits for a person. */
  unknownHoldMs: number
  /** How many answers the model may give in one run. */
  maxSteps: number
  /** How long a person may take to decide. */
  approvalMs: number
  /** How long a run's log is kept after its last change. */
  retentionMs: number
  /** How long a node may be silent before others take its runs over. */
  leaseMs: number
  recovery: RecoveryBudget
}

/** How often a run is taken up again before it fails for good. */
export interface RecoveryBudget {
  /** In all, because whoever worked on it had died. */
  maxRecoveries: number
  /** In a row without anything new from the model or a tool. */
  maxIdleRecoveries: number
  /** How old a run may be, in milliseconds. */
  maxAgeMs: number
}
