import type { AgentEvent } from '../../src/protocol/agentEvent.ts'
import type { AgentCommandState } from '../commandStates/agentCommandState.ts'
import type { TabChange, TabSnapshot, TabStatus } from './tabMessage.ts'

/** What a session's part in the tabs needs of the store that the session lives in. */
export interface TabHost {
  /** This tab owns the session now; `isWhole` where it has all of it, and need not read the storage first. */
  onOwned(isWhole: boolean): void
  /**
   * Another tab has the session from now on, or is about to: what reads its wires stops and, once what `maySave` lets be
   * saved is, nothing is saved any more.
   */
  onCeded(how: { maySave: boolean }): Promise<void>
  /** Another tab owns the session, and will be heard of. */
  onWaiting(): void
  /** Nothing is heard of the session any more: what waits for another tab's word fails with this error. */
  onClosed(error: Error): void
  /** A snapshot is in place, of which the owner said how the storage stands. */
  onFollowing(status: TabStatus): void
  /** Another tab says what has become of a command of its own. */
  onCommand(state: AgentCommandState, from: string): void
  /** Another tab has gone, or sleeps: it says nothing any more. */
  onBye(from: string): void
  /** Whether the wires that are open here can be taken up by another tab. */
  canCede(): boolean
  /** The session as it is; nothing while it is being read. */
  takeSnapshot(): TabSnapshot | undefined
  /**
   * Puts a snapshot in place that the owner sent; gives what it does not say of this tab's own commands, or nothing where
   * it is none.
   */
  putSnapshot(snapshot: TabSnapshot, owner: string): readonly AgentCommandState[] | undefined
  applyChange(change: TabChange): void
  /** Takes events that another tab's command was answered by. */
  takeEvents(events: readonly AgentEvent[]): void
  follow(runId: string): void
  abort(runId: string | undefined): void
  /** Another tab started the session clean. */
  onRemoved(isOwner: boolean, at: number | undefined): void
  /** Whether there is something going on that the owner must be alive for. */
  isWaiting(): boolean
}
