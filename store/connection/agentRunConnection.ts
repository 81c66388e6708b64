/** Whether the wire is up (RFC, section 11.3); it says nothing about the run. */
export type AgentConnectionState =
  'idle' | 'restoring' | 'connecting' | 'connected' | 'reconnecting' | 'unrecoverable' | 'failed'

/** What went wrong with a wire, as state: no cause and no content. */
export interface AgentConnectionError {
  readonly code: string
  readonly message: string
}

/** The wire of one run. */
export interface AgentRunConnection {
  readonly runId: string
  readonly sessionId: string
  /** The provider that the run and its commands go to. */
  readonly providerId: string
  readonly state: AgentConnectionState
  /** Whether the person closed the local wire of a run that may go on elsewhere. */
  readonly detached: boolean
  readonly error?: AgentConnectionError | undefined
  /** In milliseconds. */
  readonly updatedAt: number
}
