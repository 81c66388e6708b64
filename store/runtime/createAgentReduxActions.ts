import { createAction, SHOULD_AUTOBATCH } from '@reduxjs/toolkit'
import type { AgentCommand } from '../../src/protocol/agentCommand.ts'
import type { AgentEvent } from '../../src/protocol/agentEvent.ts'
import { isDelta } from '../../src/state/isDelta.ts'
import { getReceivedEvents } from '../batch/getReceivedEvents.ts'
import { packEvents } from '../batch/packEvents.ts'
import type { AgentSession } from '../agentState/agentStateSlice.ts'
import type { AgentCommandError, AgentCommandState } from '../commandStates/agentCommandState.ts'
import type { AgentSessionCommands } from '../commandStates/createCommandStatesReducer.ts'
import type { AgentRunConnection } from '../connection/agentRunConnection.ts'
import type { AgentSessionCheckpoint } from '../connection/agentSessionCheckpoint.ts'

/** Makes the plain actions of one runtime, their types prefixed with its path. */
export function createAgentReduxActions(path: string) {
  return {
    /** Sent once when a store is made: it materializes a lazily injected slice. */
    registered: createAction<{ instance: string }>(`${path}/registered`),
    /**
     * The only carrier of events: one a flush, numbered as all changes are, so that a lost one is noticed. What it holds
     * of them is read by `getReceivedEvents`.
     */
    eventsReceived: createAction(
      `${path}/eventsReceived`,
      (
        // State and cursor are one value: the cursors of the session's runs, by run, move with the events before them.
        payload: { sessionId: string; events: readonly AgentEvent[]; cursors?: Readonly<Record<string, string>> },
        batch = 0,
      ) => {
        const packed = { ...payload, events: packEvents(payload.events) }
        const events = getReceivedEvents({ payload: packed })
        // What a person may be waiting for is told at once: a hidden tab has no frames to wait for.
        return { payload: packed, meta: { batch, count: events.length, [SHOULD_AUTOBATCH]: events.every(isDelta) } }
      },
    ),
    /**
     * Puts a session in place as it truly is (design, section 5). Where the store lacked a change it brings the number
     * of the last one, and all that is known; a checkpoint is a change like others, and says nothing of its storage.
     */
    sessionRestored: createAction<{
      sessionId: string
      session: AgentSession
      commands: AgentSessionCommands
      connections: readonly AgentRunConnection[]
      latestRunId: string | undefined
      checkpoint?: AgentSessionCheckpoint | undefined
      batch?: number
    }>(`${path}/sessionRestored`),
    /** Lets go of a session with all that belongs to it: it is kept elsewhere, or nowhere. */
    sessionClosed: createAction<{ sessionId: string; batch?: number }>(`${path}/sessionClosed`),
    runRequested: createAction<{ sessionId: string; runId: string; providerId: string; at: number }>(
      `${path}/runRequested`,
    ),
    /** Begins to follow a run that somebody else drives: a reading, without commands. */
    runFollowed: createAction<{ sessionId: string; runId: string; providerId: string; at: number }>(
      `${path}/runFollowed`,
    ),
    /** Lets go of a run's state: it stands elsewhere for good, or nobody follows it any more (design, section 9). */
    runReleased: createAction<{ sessionId: string; runId: string }>(`${path}/runReleased`),
    /** Asks for the runtime of the store that it is dispatched to; no reducer gets it. */
    runtimeRequested: createAction(`${path}/runtimeRequested`),
    /** Takes a run up again; only its runtime's own does. */
    runResumed: createAction<{ runId: string; at: number }>(`${path}/runResumed`),
    /** Makes the wire of a run known that was started elsewhere: in a page before this one, in another tab. */
    runRestored: createAction<{ connection: AgentRunConnection; isLatest: boolean }>(`${path}/runRestored`),
    connectionChanged: createAction<{ runId: string; at: number } & Omit<Partial<AgentRunConnection>, 'runId'>>(
      `${path}/connectionChanged`,
    ),
    /** Says how a session stands with its storage. */
    checkpointChanged: createAction<{ sessionId: string } & AgentSessionCheckpoint>(`${path}/checkpointChanged`),
    commandSubmitted: createAction<{ command: AgentCommand; at: number }>(`${path}/commandSubmitted`),
    commandSucceeded: createAction<{ command: AgentCommand; at: number }>(`${path}/commandSucceeded`),
    commandFailed: createAction<{ command: AgentCommand; at: number; error: AgentCommandError }>(
      `${path}/commandFailed`,
    ),
    /** Shows what another tab says of its command; nothing is sent. `isLatest` makes it the action's newest. */
    commandReported: createAction<{ state: AgentCommandState; isLatest: boolean }>(`${path}/commandReported`),
  }
}

export type AgentReduxActions = ReturnType<typeof createAgentReduxActions>
