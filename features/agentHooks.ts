import type { AgentCommandType } from '../src/protocol/agentCommand.ts'
import type { AgentTimelineItem } from '../src/selectors/agentTimelineItem.ts'
import type { AgentTimelineOptions } from '../src/selectors/selectAgentTimeline.ts'
import type { AgentApprovalState } from '../src/state/entities/agentApprovalState.ts'
import type { AgentRunState } from '../src/state/entities/agentRunState.ts'
import type { AgentToolCallState } from '../src/state/entities/agentToolCallState.ts'
import type { AgentCommandState } from '../store/commandStates/agentCommandState.ts'
import type { AgentConnectionState } from '../store/connection/agentRunConnection.ts'
import type { UseXChat } from './chat/xChat.ts'
import type { AgentConnectionView } from './connection/useConnection.ts'
import type { AgentActions } from './run/agentActions.ts'

/** The hooks of one runtime; each renders its component again only for what it names. */
export interface AgentHooks {
  /** A chat over a session (RFC, section 11). */
  readonly useXChat: UseXChat
  readonly useToolCall: (ids: { runId: string; toolCallId: string }) => AgentToolCallState | undefined
  readonly useApproval: (ids: { runId: string; approvalId: string }) => AgentApprovalState | undefined
  /**
   * What happened in a session, or in one run of it, in state order; renders again once a batch at the most, and the
   * items that did not change stay the same objects, for rows that are memoised.
   */
  readonly useAgentTimeline: (options: AgentTimelineOptions & { sessionId: string }) => readonly AgentTimelineItem[]
  readonly useAgentRun: (ids: { runId: string }) => AgentRunState | undefined
  /** Where the wire of a run, or of a session's latest run, stands (RFC, section 11.3). */
  readonly useConnectionState: (of: { sessionId: string } | { runId: string }) => AgentConnectionState
  /** That wire in detail: its attempts, what went wrong, and whether the run can be taken up again. */
  readonly useConnection: (of: { sessionId: string } | { runId: string }) => AgentConnectionView | undefined
  /** The actions, the same object at each render. */
  readonly useAgentActions: () => AgentActions
  /** What became of an action's newest command; `entityId` is the approval's or the tool call's id. */
  readonly useCommandState: (action: {
    runId: string
    type: AgentCommandType
    entityId?: string
  }) => AgentCommandState | undefined
  /** Whether the provider of a run takes a command; yes, where the provider is not known here. */
  readonly useCommandSupport: (action: { runId: string; type: AgentCommandType }) => boolean
}
