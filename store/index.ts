export { AgentModuleError } from '../src/agentModuleError.ts'

export { AGENT_COMMAND_PROTOCOL, AGENT_COMMAND_PROTOCOL_VERSION } from '../src/protocol/agentCommandProtocol.ts'
export type { AgentCommandProtocolVersion } from '../src/protocol/agentCommandProtocol.ts'
export { AGENT_EVENT_PROTOCOL, AGENT_EVENT_PROTOCOL_VERSION } from '../src/protocol/agentEventProtocol.ts'
export type { AgentEventProtocolVersion } from '../src/protocol/agentEventProtocol.ts'
export type {
  AgentCommand,
  AgentCommandEnvelope,
  AgentCommandOf,
  AgentCommandPayloadMap,
  AgentCommandType,
} from '../src/protocol/agentCommand.ts'
export { agentCommandTypes } from '../src/protocol/agentCommandTypes.ts'
export type { AgentEvent, AgentEventEnvelope, AgentEventMeta, AgentEventOf } from '../src/protocol/agentEvent.ts'
export type { AgentEventPayloadMap, AgentEventType } from '../src/protocol/agentEventPayloads.ts'
export { agentEventTypes } from '../src/protocol/agentEventTypes.ts'
export type { AgentContentPart, AgentMessageContent } from '../src/protocol/agentMessageContent.ts'
export { createAgentCommandFactory } from '../src/protocol/createAgentCommandFactory.ts'
export type {
  AgentCommandFactory,
  AgentCommandFactoryOptions,
  AgentCommandCreateOptions,
} from '../src/protocol/createAgentCommandFactory.ts'
export { createAgentEventFactory } from '../src/protocol/createAgentEventFactory.ts'
export type { AgentEventFactory, AgentEventOptions, AgentRunOptions } from '../src/protocol/createAgentEventFactory.ts'
export type { AgentError } from '../src/protocol/agentError.ts'
export { getAgentActionKey } from '../src/protocol/getAgentActionKey.ts'
export { getAgentCommandActionKey } from '../src/protocol/getAgentCommandActionKey.ts'
export { getAgentCommandKey } from '../src/protocol/getAgentCommandKey.ts'
export { getAgentEntityKey } from '../src/protocol/getAgentEntityKey.ts'
export { isAgentCommand } from '../src/protocol/isAgentCommand.ts'
export { isAgentCommandEnvelope } from '../src/protocol/isAgentCommandEnvelope.ts'
export type { UnknownAgentCommandEnvelope } from '../src/protocol/hasCommandEnvelope.ts'
export { isAgentEvent } from '../src/protocol/isAgentEvent.ts'
export { isAgentEventEnvelope } from '../src/protocol/isAgentEventEnvelope.ts'
export type { UnknownAgentEventEnvelope } from '../src/protocol/hasEventEnvelope.ts'
export type { ApprovalDecision, ApprovalRisk } from '../src/protocol/payloads/approvalPayloads.ts'
export type { AgentRole } from '../src/protocol/payloads/messagePayloads.ts'
export { readApprovalQuestion } from '../src/protocol/readApprovalQuestion.ts'
export type { ApprovalQuestion, ApprovalQuestionOption } from '../src/protocol/readApprovalQuestion.ts'

export { AGENT_CHECKPOINT_SCHEMA_VERSION } from '../src/checkpoint/agentCheckpoint.ts'
export type { AgentCheckpoint, AgentCheckpointConnection } from '../src/checkpoint/agentCheckpoint.ts'
export { AgentCheckpointError } from '../src/checkpoint/agentCheckpointError.ts'
export type { AgentCheckpointErrorCode } from '../src/checkpoint/agentCheckpointError.ts'
export type { AgentCheckpointStorage } from '../src/checkpoint/agentCheckpointStorage.ts'
export { createMemoryAgentCheckpointStorage } from '../src/checkpoint/createMemoryAgentCheckpointStorage.ts'
export { createWebStorageAgentCheckpointStorage } from '../src/checkpoint/createWebStorageAgentCheckpointStorage.ts'
export type { WebStorageAgentCheckpointStorageOptions } from '../src/checkpoint/createWebStorageAgentCheckpointStorage.ts'
export { parseAgentCheckpoint } from '../src/checkpoint/parseAgentCheckpoint.ts'
export type { AgentCheckpointFault, AgentCheckpointParseResult } from '../src/checkpoint/parseAgentCheckpoint.ts'

export { AgentProtocolError } from '../src/state/agentProtocolError.ts'
export type {
  AgentEntityByKind,
  AgentEntityKind,
  AgentEntityReference,
  AgentProtocolIssue,
  AgentProtocolIssueCode,
  AgentState,
} from '../src/state/agentState.ts'
export { createAgentStore } from '../src/state/createAgentStore.ts'
export type { AgentProtocolMode, AgentStore } from '../src/state/createAgentStore.ts'
export { createInitialAgentState } from '../src/state/createInitialAgentState.ts'
export type { AgentApprovalState } from '../src/state/entities/agentApprovalState.ts'
export type { AgentArtifactState } from '../src/state/entities/agentArtifactState.ts'
export type { AgentEntityBase, AgentEntityStatus } from '../src/state/entities/agentEntityBase.ts'
export type { AgentMessageState } from '../src/state/entities/agentMessageState.ts'
export type { AgentReasoningState } from '../src/state/entities/agentReasoningState.ts'
export type { AgentRunState, AgentRunStatus } from '../src/state/entities/agentRunState.ts'
export type { AgentSessionState } from '../src/state/entities/agentSessionState.ts'
export type { AgentTaskState } from '../src/state/entities/agentTaskState.ts'
export type { AgentToolCallState } from '../src/state/entities/agentToolCallState.ts'
export { reduceAgentEvents } from '../src/state/reduceAgentEvents.ts'
export { reduceAgentState } from '../src/state/reduceAgentState.ts'
export { replayAgentEvents } from '../src/state/replayAgentEvents.ts'

export type {
  AgentCommandOptions,
  AgentProvider,
  AgentProviderCapabilities,
  AgentProviderContextOptions,
  AgentProviderRunOptions,
  AnyAgentProvider,
} from '../src/provider/agentProvider.ts'
export { AgentCommandRunnerError } from '../src/provider/agentCommandRunnerError.ts'
export type { AgentCommandRunnerErrorCode } from '../src/provider/agentCommandRunnerError.ts'
export { AgentProviderProtocolError } from '../src/provider/agentProviderProtocolError.ts'
export type { AgentProviderProtocolErrorCode } from '../src/provider/agentProviderProtocolError.ts'
export type { AgentTransport, AgentTransportKind } from '../src/provider/agentTransport.ts'
export { describeError } from '../src/provider/describeError.ts'
export { getReconnectDelay } from '../src/provider/getReconnectDelay.ts'
export { isAgentProvider } from '../src/provider/isAgentProvider.ts'
export { runAgentCommand } from '../src/provider/runAgentCommand.ts'
export type { RunAgentCommandOptions } from '../src/provider/runAgentCommand.ts'
export { runAgentProvider } from '../src/provider/runAgentProvider.ts'
export type { AgentTransportErrorDetails, RunAgentProviderOptions } from '../src/provider/runAgentProvider.ts'

export { AgentTransportError } from '../src/transport/agentTransportError.ts'
export type { AgentTransportErrorCode, AgentTransportErrorOptions } from '../src/transport/agentTransportError.ts'
export { createAsyncIterableTransport } from '../src/transport/asyncIterable.ts'
export type { AsyncIterableTransportOptions } from '../src/transport/asyncIterable.ts'
export type { AgentTransportTimers } from '../src/transport/agentTransportTimers.ts'
export type { SseMessage } from '../src/transport/createSseParser.ts'
export { encodePathSegment } from '../src/transport/encodePathSegment.ts'
export type { HttpStreamRequest } from '../src/transport/openHttpStream.ts'
export { createSseTransport } from '../src/transport/sse.ts'
export { createNdjsonTransport } from '../src/transport/ndjson.ts'
export type { NdjsonTransportOptions } from '../src/transport/ndjson.ts'
export type { SseTransportOptions } from '../src/transport/sse.ts'
export { createWebSocketTransport } from '../src/transport/webSocket.ts'
export type { WebSocketTransportOptions } from '../src/transport/webSocket.ts'
export type { SocketLike, SocketMessage, WebSocketConstructor, WebSocketRequest } from '../src/transport/openSocket.ts'

export type { AgentHistoryMessage } from '../src/readModel/agentHistoryMessage.ts'
export type { AgentTimelineItem } from '../src/selectors/agentTimelineItem.ts'
export type { MessageInfo, MessageStatus } from '../src/selectors/messageInfo.ts'
export { selectAgentTimeline } from '../src/selectors/selectAgentTimeline.ts'
export type { AgentTimelineOptions } from '../src/selectors/selectAgentTimeline.ts'
export { selectApproval } from '../src/selectors/selectApproval.ts'
export { selectMessages } from '../src/selectors/selectMessages.ts'
export { selectRun } from '../src/selectors/selectRun.ts'
export { selectRunningRuns } from '../src/selectors/selectRunningRuns.ts'
export { selectToolCall } from '../src/selectors/selectToolCall.ts'

export { AGENT_TRACE_FORMAT } from '../src/trace/agentTrace.ts'
export type { AgentTrace, AgentTraceCheckpoint } from '../src/trace/agentTrace.ts'
export { AgentTraceError } from '../src/trace/agentTraceError.ts'
export type { AgentTraceErrorCode } from '../src/trace/agentTraceError.ts'
export type { AgentTraceLimits } from '../src/trace/agentTraceLimits.ts'
export type {
  AgentApprovalMoment,
  AgentCheckpointMoment,
  AgentToolMoment,
  AgentTraceMoment,
  AgentTraceMomentKind,
} from '../src/trace/agentTraceMoment.ts'
export { createAgentReplay } from '../src/trace/createAgentReplay.ts'
export type { AgentReplay } from '../src/trace/createAgentReplay.ts'
export { createAgentTrace } from '../src/trace/createAgentTrace.ts'
export { parseAgentTrace } from '../src/trace/parseAgentTrace.ts'
export { readAgentTraceFile } from '../src/trace/readAgentTraceFile.ts'
export { stringifyAgentTrace } from '../src/trace/stringifyAgentTrace.ts'

export { AgentRuntimeError } from './agentRuntimeError.ts'
export type { AgentRuntimeErrorCode } from './agentRuntimeError.ts'
export type { AgentSession } from './agentState/agentStateSlice.ts'
export type { AgentEnvironment } from './batch/agentEnvironment.ts'
export type { AgentReceivedDelta, AgentReceivedEvent } from './batch/agentReceivedEvent.ts'
export type { AgentBatchOptions } from './batch/createEventBatcher.ts'
export { getReceivedEvents } from './batch/getReceivedEvents.ts'
export type { AgentPersistEngine } from './checkpoint/agentPersistEngine.ts'
export type { OpenSessionOptions } from './checkpoint/createCheckpointCoordinator.ts'
export type { RemoveSessionOptions } from './checkpoint/createSessionRemoval.ts'
export { createPersistCheckpointStorage } from './checkpoint/createPersistCheckpointStorage.ts'
export type {
  AgentCheckpointCipher,
  PersistCheckpointStorageOptions,
} from './checkpoint/createPersistCheckpointStorage.ts'
export { createWebStorage } from './checkpoint/createWebStorage.ts'
export type { AgentCommandError, AgentCommandState, AgentCommandStatus } from './commandStates/agentCommandState.ts'
export type { AgentReconnectOptions } from './connection/agentReconnectOptions.ts'
export type {
  AgentConnectionError,
  AgentConnectionState,
  AgentRunConnection,
} from './connection/agentRunConnection.ts'
export type { AgentSessionCheckpoint } from './connection/agentSessionCheckpoint.ts'
export { createAgentRuntime } from './createAgentRuntime.ts'
export type { AgentRuntime, AgentRuntimeOptions } from './createAgentRuntime.ts'
export type { AgentDevTools } from './devTools/createDevTools.ts'
export type { AgentRootState, AgentSlice } from './runtime/agentSlice.ts'
export type { AgentTask, AgentTaskResult } from './runtime/agentTask.ts'
export type { FollowRunOptions } from './runtime/createFollower.ts'
export type { StartRunOptions } from './runtime/runner.ts'
export type { AgentActionTarget, AgentRunTask, AgentRuntimeActions, AgentThunk } from './runtime/createThunks.ts'
export type { AgentActionResult } from './runtime/storeContext.ts'
export type { AgentSelectors } from './selectors/createAgentSelectors.ts'
export type { AgentTabChannel, AgentTabLocks, AgentTabsOptions } from './tabs/agentTabs.ts'
