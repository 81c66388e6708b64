import type { AgentCommandType } from '../../src/protocol/agentCommand.ts'
import { getAgentActionKey } from '../../src/protocol/getAgentActionKey.ts'
import type { AgentTimelineItem } from '../../src/selectors/agentTimelineItem.ts'
import type { MessageInfo } from '../../src/selectors/messageInfo.ts'
import { selectAgentTimeline, type AgentTimelineOptions } from '../../src/selectors/selectAgentTimeline.ts'
import { selectApproval } from '../../src/selectors/selectApproval.ts'
import { selectMessage } from '../../src/selectors/selectMessage.ts'
import { selectMessages } from '../../src/selectors/selectMessages.ts'
import { selectRunningRuns } from '../../src/selectors/selectRunningRuns.ts'
import { selectToolCall } from '../../src/selectors/selectToolCall.ts'
import { createInitialAgentState } from '../../src/state/createInitialAgentState.ts'
import type { AgentState } from '../../src/state/agentState.ts'
import type { AgentApprovalState } from '../../src/state/entities/agentApprovalState.ts'
import type { AgentMessageState } from '../../src/state/entities/agentMessageState.ts'
import type { AgentRunState } from '../../src/state/entities/agentRunState.ts'
import type { AgentToolCallState } from '../../src/state/entities/agentToolCallState.ts'
import { getOwn } from '../../src/state/ownRecord.ts'
import type { AgentSession } from '../agentState/agentStateSlice.ts'
import { joinSession } from '../agentState/joinSession.ts'
import type { AgentCommandState } from '../commandStates/agentCommandState.ts'
import { noCommands } from '../commandStates/createCommandStatesReducer.ts'
import type { AgentConnectionError, AgentConnectionState, AgentRunConnection } from '../connection/agentRunConnection.ts'
import type { AgentRootState, AgentSlice } from '../runtime/agentSlice.ts'
import { findRun } from '../runtime/findRun.ts'
import { readAgentSlice } from '../runtime/readAgentSlice.ts'
import { createSessionView } from './createSessionView.ts'

/** A runtime's selectors. They take the app's root state; what they give keeps its reference while it does not change. */
export interface AgentSelectors<Path extends string> {
  selectSession(root: AgentRootState<Path>, sessionId: string): AgentSession | undefined
  /** The session's one AgentState, joined when it is read. */
  selectAgentState(root: AgentRootState<Path>, sessionId: string): AgentState
  selectRun(root: AgentRootState<Path>, ids: { runId: string }): AgentRunState | undefined
  selectMessage(root: AgentRootState<Path>, ids: { runId: string; messageId: string }): AgentMessageState | undefined
  selectToolCall(root: AgentRootState<Path>, ids: { runId: string; toolCallId: string }): AgentToolCallState | undefined
  selectApproval(root: AgentRootState<Path>, ids: { runId: string; approvalId: string }): AgentApprovalState | undefined
  selectMessages(root: AgentRootState<Path>, sessionId: string): readonly MessageInfo[]
  selectAgentTimeline(
    root: AgentRootState<Path>,
    options: AgentTimelineOptions & { sessionId: string },
  ): readonly AgentTimelineItem[]
  selectRunningRuns(root: AgentRootState<Path>, sessionId: string): readonly AgentRunState[]
  /** Whether a run of the session is running that this page has not let go of. */
  selectIsRequesting(root: AgentRootState<Path>, sessionId: string): boolean
  selectCommandStates(root: AgentRootState<Path>, sessionId: string): Readonly<Record<string, AgentCommandState>>
  selectLatestCommandByAction(root: AgentRootState<Path>, sessionId: string): Readonly<Record<string, string>>
  /** An action's newest command. */
  selectCommandForAction(
    root: AgentRootState<Path>,
    action: { runId: string; type: AgentCommandType; entityId?: string },
  ): AgentCommandState | undefined
  selectRunConnection(root: AgentRootState<Path>, runId: string): AgentRunConnection | undefined
  /** The wire of a session's latest run. */
  selectLatestRunConnection(root: AgentRootState<Path>, sessionId: string): AgentRunConnection | undefined
  /** Why a session's checkpoint could not be read, or is not written. */
  selectCheckpointError(root: AgentRootState<Path>, sessionId: string): AgentConnectionError | undefined
  /**
   * Whether another tab owns a session, which this one follows.
   *
   * @experimental
   */
  selectIsFollowing(root: AgentRootState<Path>, sessionId: string): boolean
  /** The connection of a run, or of a session: of its latest run, unless its storage is being read or could not be. */
  selectConnectionState(
    root: AgentRootState<Path>,
    of: { runId: string } | { sessionId: string },
  ): AgentConnectionState
}

/** Makes a runtime's selectors; `initial` is what they see of a slice that was injected late, until the next action. */
export function createAgentSelectors<Path extends string>(path: Path, initial: AgentSlice): AgentSelectors<Path> {
  const nothing = createInitialAgentState()
  const joined = new WeakMap<AgentSession, AgentState>()
  const viewMessages = createSessionView<MessageInfo>()
  const viewTimeline = createSessionView<AgentTimelineItem>()

  const sliceOf = (root: AgentRootState<Path>) => readAgentSlice(root, path) ?? initial
  const sessionOf = (root: AgentRootState<Path>, sessionId: string) => getOwn(sliceOf(root).agentState.sessions, sessionId)
  const homeOf = (root: AgentRootState<Path>, runId: string) => findRun(sliceOf(root).agentState, runId)?.state ?? nothing
  const runConnection = (root: AgentRootState<Path>, runId: string) => getOwn(sliceOf(root).connection.runs, runId)
  const commandsOf = (root: AgentRootState<Path>, sessionId: string) =>
    getOwn(sliceOf(root).commandStates, sessionId) ?? noCommands

  const checkpointOf = (root: AgentRootState<Path>, sessionId: string) =>
    getOwn(sliceOf(root).connection.checkpoints ?? {}, sessionId)

  function isDetached(root: AgentRootState<Path>, runId: string): boolean {
    return runConnection(root, runId)?.detached === true
  }

  function selectAgentState(root: AgentRootState<Path>, sessionId: string): AgentState {
    const session = sessionOf(root, sessionId)
    if (!session) return nothing
    let state = joined.get(session)
    if (!state) joined.set(session, (state = joinSession(session)))
    return state
  }

  const select: AgentSelectors<Path> = {
    selectSession: sessionOf,
    selectAgentState,
    selectRun: (root, { runId }) => getOwn(homeOf(root, runId).runs, runId),
    selectMessage: (root, ids) => selectMessage(homeOf(root, ids.runId), ids),
    selectToolCall: (root, ids) => selectToolCall(homeOf(root, ids.runId), ids),
    selectApproval: (root, ids) => selectApproval(homeOf(root, ids.runId), ids),

    selectMessages(root, sessionId) {
      const session = sessionOf(root, sessionId)
      if (!session) return selectMessages(nothing)
      const running = Object.keys(session.active.runs)
      const detachedRunIds = running.filter((runId) => isDetached(root, runId))
      return viewMessages(session, {
        settled: selectMessages(session.settled),
        active: selectMessages(session.active, { detachedRunIds }),
        joined: () => selectMessages(selectAgentState(root, sessionId), { detachedRunIds }),
      })
    },

    selectAgentTimeline(root, { sessionId, ...options }) {
      const session = sessionOf(root, sessionId)
      if (!session) return selectAgentTimeline(nothing)
      const { runId } = options
      // A run stands in one part as a whole; a page with a timeline a run must not look through all history for each.
      if (runId !== undefined) return selectAgentTimeline(homeOf(root, runId), options)
      return viewTimeline(session, {
        settled: selectAgentTimeline(session.settled, options),
        active: selectAgentTimeline(session.active, options),
        joined: () => selectAgentTimeline(selectAgentState(root, sessionId), options),
      })
    },

    // A running run is an active one: the settled ones need not be looked through.
    selectRunningRuns: (root, sessionId) =>
      selectRunningRuns(sessionOf(root, sessionId)?.active ?? nothing, sessionId),

    selectIsRequesting(root, sessionId) {
      const isOn = select.selectRunningRuns(root, sessionId).some((run) => !isDetached(root, run.id))
      // A run that has brought nothing yet is asked for all the same.
      return isOn || ['connecting', 'reconnecting'].includes(select.selectConnectionState(root, { sessionId }))
    },

    selectCommandStates: (root, sessionId) => commandsOf(root, sessionId).commandStates,
    selectLatestCommandByAction: (root, sessionId) => commandsOf(root, sessionId).latestCommandByAction,

    selectCommandForAction(root, action) {
      const sessionId = findRun(sliceOf(root).agentState, action.runId)?.sessionId
      if (sessionId === undefined) return undefined
      const { commandStates, latestCommandByAction } = commandsOf(root, sessionId)
      const key = getOwn(latestCommandByAction, getAgentActionKey(action))
      return key === undefined ? undefined : getOwn(commandStates, key)
    },

    selectRunConnection: runConnection,
    selectLatestRunConnection(root, sessionId) {
      const runId = getOwn(sliceOf(root).connection.latestRunBySession, sessionId)
      return runId === undefined ? undefined : runConnection(root, runId)
    },
    selectCheckpointError: (root, sessionId) => checkpointOf(root, sessionId)?.error,
    selectIsFollowing: (root, sessionId) => checkpointOf(root, sessionId)?.isFollowing === true,
    selectConnectionState(root, of) {
      if ('runId' in of) return runConnection(root, of.runId)?.state ?? 'idle'
      const restore = checkpointOf(root, of.sessionId)?.restore
      if (restore === 'restoring') return restore
      return select.selectLatestRunConnection(root, of.sessionId)?.state ?? restore ?? 'idle'
    },
  }
  return select
}
