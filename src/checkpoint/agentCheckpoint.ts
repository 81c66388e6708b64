import type { AgentCommand } from '../protocol/agentCommand.ts'
import type { AgentCommandProtocolVersion } from '../protocol/agentCommandProtocol.ts'
import type { AgentEventProtocolVersion } from '../protocol/agentEventProtocol.ts'
import type { AgentState } from '../state/agentState.ts'

/** What a checkpoint keeps of a run's wire. */
export interface AgentCheckpointConnection {
  /** The provider that the run and its commands go to. */
  readonly providerId: string
  /** Whether the person closed the local wire: the run is not resumed by itself then. */
  readonly detached?: boolean
  /** Whether a person is asked while more of the stream should come: the run is no parked one then. */
  readonly isOpen?: boolean
  /** The sequence that the cursor stands at, where the state is behind it: the events between were refused. */
  readonly readTo?: number
  /** When the run was requested, in milliseconds: the conversation's latest run has the highest. */
  readonly startedAt?: number
}

/**
 * Where a session goes on after a reload: its state and its cursors as one value, all of it JSON (RFC, section 12.1).
 * Never a request, a function, an error's cause or redacted reasoning.
 *
 * @example
 * const checkpoint = await storage.load('conversation-1')
 */
export interface AgentCheckpoint {
  readonly schemaVersion: 1
  readonly eventProtocolVersion: AgentEventProtocolVersion
  readonly commandProtocolVersion: AgentCommandProtocolVersion
  readonly sessionId: string
  readonly state: AgentState
  /** What each active run was asked with: its request is made anew from it. */
  readonly inputByRun: Readonly<Record<string, unknown>>
  readonly cursorByRun: Readonly<Record<string, string>>
  /** Commands that no event has answered yet; they are never sent again by themselves. */
  readonly pendingCommands: readonly AgentCommand[]
  readonly connectionByRun?: Readonly<Record<string, AgentCheckpointConnection>>
  /** In milliseconds. */
  readonly savedAt: number
}

/** The version of the checkpoint's schema that this package reads and writes. */
export const AGENT_CHECKPOINT_SCHEMA_VERSION = 1 as const
