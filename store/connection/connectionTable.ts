import type { AgentConnectionState } from './agentRunConnection.ts'

/** What happens to a run's wire. */
export type ConnectionCause =
  /** A session with a storage is read. */
  | 'restore_started'
  /** What was read holds no running run, or one that waits for a person. */
  | 'restored'
  /** What was read holds a running run that nothing can take up again. */
  | 'restored_lost'
  /** The storage failed, or what it held is no checkpoint. */
  | 'restore_failed'
  | 'run_requested'
  /** By hand, after a command's answer, or after a restore. */
  | 'resume_requested'
  /** The rest of a command's answer becomes the main wire. */
  | 'wire_adopted'
  /** The first chunk of a good response, or its proper end. */
  | 'opened'
  /** A loss that is tried again. */
  | 'lost'
  /** A final loss, which the provider made the end of the run. */
  | 'lost_with_run'
  /** A final loss; the run is running as far as anyone knows. */
  | 'lost_for_good'
  | 'cursor_refused'
  | 'budget_spent'
  /** The provider broke the protocol, or the app threw. */
  | 'broken'
  /** The end of the run, a stream that waits for a person, or an abort. */
  | 'closed'

/**
 * The connection of a run (RFC, section 11.3; design, section 6): what may happen in each state, and where it leads.
 * What is not in the table does not happen.
 */
export const connectionTable: Readonly<
  Record<AgentConnectionState, Readonly<Partial<Record<ConnectionCause, AgentConnectionState>>>>
> = {
  idle: {
    restore_started: 'restoring',
    run_requested: 'connecting',
    resume_requested: 'reconnecting',
    wire_adopted: 'connected',
    closed: 'idle',
  },
  restoring: {
    restored: 'idle',
    restored_lost: 'unrecoverable',
    restore_failed: 'failed',
    resume_requested: 'reconnecting',
    run_requested: 'connecting',
  },
  connecting: {
    opened: 'connected',
    lost: 'connecting',
    lost_with_run: 'failed',
    lost_for_good: 'failed',
    budget_spent: 'failed',
    broken: 'failed',
    closed: 'idle',
  },
  connected: {
    lost: 'reconnecting',
    lost_with_run: 'failed',
    lost_for_good: 'unrecoverable',
    budget_spent: 'failed',
    broken: 'failed',
    closed: 'idle',
  },
  reconnecting: {
    opened: 'connected',
    lost: 'reconnecting',
    lost_with_run: 'failed',
    lost_for_good: 'unrecoverable',
    cursor_refused: 'unrecoverable',
    budget_spent: 'failed',
    broken: 'failed',
    closed: 'idle',
  },
  unrecoverable: {
    resume_requested: 'reconnecting',
    run_requested: 'connecting',
    restore_started: 'restoring',
    wire_adopted: 'connected',
    closed: 'idle',
  },
  failed: {
    resume_requested: 'reconnecting',
    run_requested: 'connecting',
    restore_started: 'restoring',
    wire_adopted: 'connected',
    closed: 'idle',
  },
}
