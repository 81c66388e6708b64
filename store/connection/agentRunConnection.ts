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
  /** Whether the run is only followed here: somebody else drives it, and it takes no command from here. */
  readonly isFollowed?: boolean | undefined
  /** Whether an event ended the run; its wire is forgotten when the session's next run begins. */
  readonly hasEnded?: boolean | undefined
  readonly error?: AgentConnectionError | undefined
  /** Where the run is taken up again; opaque. It moves with the events before it, in one action (RFC, section 13.2). */
  readonly cursor?: string | undefined
  /** Which attempt in a row is under way or waited for, of `maxAttempts`; only while one is. */
  readonly attempt?: number | undefined
  readonly maxAttempts?: number | undefined
  /** Whether the next attempt waits for the host to come online. */
  readonly isOffline?: boolean | undefined
  /** Whether the request waits for one of the streams that a browser may have open at once. */
  readonly isQueued?: boolean | undefined
  /** The run's last sequence when the wire was taken up again. */
  readonly resumedAt?: number | undefined
  /** Whether `resumeRun` can take the run up again; told where nothing does so by itself. */
  readonly canResume?: boolean | undefined
  /** In milliseconds. */
  readonly updatedAt: number
}
