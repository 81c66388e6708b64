import type { AgentCheckpointError } from '../../src/checkpoint/agentCheckpointError.ts'
import { getOwn } from '../../src/state/ownRecord.ts'
import { apart } from '../batch/apart.ts'
import type { AgentSessionCheckpoint } from '../connection/agentSessionCheckpoint.ts'
import type { StoreContext } from '../runtime/storeContext.ts'

/** Says in the state, and to the app, how sessions stand with their storage. */
export interface CheckpointReporter {
  /** What was said last. */
  said(sessionId: string): AgentSessionCheckpoint | undefined
  say(sessionId: string, said: AgentSessionCheckpoint): void
  /** Takes back what was said, where anything was. */
  settle(sessionId: string): void
  report(sessionId: string, error: AgentCheckpointError, restore?: 'failed'): void
  /** What a write came to: the next one that goes well takes the report back. */
  noteSaved(sessionId: string, error: AgentCheckpointError | undefined): void
}

export function createCheckpointReporter(
  { actions, present, tabs }: Pick<StoreContext, 'actions' | 'present' | 'tabs'>,
  onError: ((error: AgentCheckpointError, about: { sessionId: string }) => void) | undefined,
): CheckpointReporter {
  const said = (sessionId: string) => getOwn(present.get().connection.checkpoints ?? {}, sessionId)

  function say(sessionId: string, { restore, error }: AgentSessionCheckpoint) {
    const isFollowing = tabs.isFollowing(sessionId) || undefined
    apart(() => present.apply(actions.checkpointChanged({ sessionId, restore, error, isFollowing })))
  }

  function report(sessionId: string, error: AgentCheckpointError, restore?: 'failed') {
    const { code, message } = error
    const known = said(sessionId)
    if (known?.error?.code === code && known.restore === restore) return
    say(sessionId, { restore: restore ?? known?.restore, error: { code, message } })
    // In a turn of its own: what the app throws there is not the run's affair.
    if (onError) queueMicrotask(() => onError(error, { sessionId }))
  }

  return {
    said,
    say,
    settle(sessionId) {
      if (said(sessionId)) say(sessionId, {})
    },
    report,
    noteSaved(sessionId, error) {
      const known = said(sessionId)
      if (error) report(sessionId, error)
      else if (known?.error) say(sessionId, { restore: known.restore })
    },
  }
}
