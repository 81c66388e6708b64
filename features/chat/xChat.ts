import type { MessageInfo } from '../../src/selectors/messageInfo.ts'
import type { AgentHistoryMessage } from '../../src/readModel/agentHistoryMessage.ts'
import type { AgentCheckpointStorage } from '../../src/checkpoint/agentCheckpointStorage.ts'
import type { AgentProvider } from '../../src/provider/agentProvider.ts'
import type { AgentState } from '../../src/state/agentState.ts'
import type { AgentCommandState } from '../../store/commandStates/agentCommandState.ts'
import type { AgentReconnectOptions } from '../../store/connection/agentReconnectOptions.ts'
import type { AgentConnectionError, AgentConnectionState } from '../../store/connection/agentRunConnection.ts'
import type { AgentRunTask } from '../../store/runtime/createThunks.ts'
import type { ChatProviderChat, ChatProviderOptions } from '../chat-provider/chatProviderOptions.ts'
import type { AgentActions } from '../run/agentActions.ts'
import type { ChatMessage } from './chatMessage.ts'
import type { ConversationKey } from './createUseSessionId.ts'
import type { ChatMessageInfo, ChatMessagePatch } from './messageEdits.ts'
import type { MessageParser } from './createMessageParsing.ts'
import type { DefaultMessageInfo } from './toDefaultMessages.ts'

/** A provider of this input, whatever its request, chunk and context. */
// These three are invariant (each is taken and given), so that only `any` admits every provider.
// eslint-disable-next-line typescript/no-explicit-any
export type ProviderOf<Input> = AgentProvider<Input, any, any, any>

/** What `useXChat` is given (RFC, section 11.1). */
export interface XChatOptions<Input, Parsed> {
  /** The provider, or the id of one of the runtime's. */
  provider: ProviderOf<Input> | string
  /** Names the session. Without it the component has one of its own, in memory. */
  conversationKey?: ConversationKey | undefined
  /** Messages before the session's own; read when a session is first shown. */
  defaultMessages?: readonly DefaultMessageInfo[] | undefined
  /**
   * The conversation's messages as a read model has them, oldest first. They stand before what the session holds, under
   * the same ids; a run that the session still holds is shown as the session has it, in its place (design, section 9).
   *
   * @experimental
   */
  history?: readonly AgentHistoryMessage[] | undefined
  /** Makes `parsedMessages`; give a stable function, as another one parses everything again. */
  parser?: MessageParser<Parsed> | undefined
  /**
   * Where the session is kept over a reload; the runtime's storage by default. A session without a key has none, and
   * the first storage that a session is opened with holds.
   */
  checkpointStorage?: AgentCheckpointStorage | undefined
  /** How the lost wires of the runs that start here are taken up again; the runtime's way by default. */
  reconnect?: false | AgentReconnectOptions | undefined
  /** Closes the session's local wires with the component; by default a run outlives it. */
  abortOnUnmount?: boolean | undefined
}

/** What `useXChat` gives (RFC, section 11.2). Its functions are the same ones at each render. */
export interface XChat<Input, Parsed> {
  readonly sessionId: string
  /** The session's messages in state order, after the default ones and the history, with this component's edits. */
  readonly messages: readonly ChatMessageInfo[]
  readonly parsedMessages: readonly MessageInfo<Parsed>[]
  /** The session's facts; joined when this is read. */
  readonly agentState: AgentState
  readonly agentActions: AgentActions
  readonly commandStates: Readonly<Record<string, AgentCommandState>>
  readonly latestCommandByAction: Readonly<Record<string, string>>
  readonly connectionState: AgentConnectionState
  /** Why the session's checkpoint could not be read, or is not written; what runs goes on. */
  readonly checkpointError: AgentConnectionError | undefined
  /** Whether a run is running that this page has not let go of; a command under way does not count. */
  readonly isRequesting: boolean
  /** Starts a run; the task ends with the run's local stream, and never rejects. */
  onRequest(input: Input): AgentRunTask
  /**
   * Starts a run with the input of the run that made a message, or with another input.
   *
   * @throws XChatError `unknown_message` or `unknown_input`
   */
  onReload(messageId: string, input?: Input): AgentRunTask
  /**
   * Takes the session's latest run up again whose wire is lost or was closed here ("continue"); the task ends as that of
   * `onRequest`. Its `unwrap` rejects with an AgentRuntimeError, `missing_run` where there is none, and `not_resumable`
   * where `onReload` ("regenerate") is the way.
   */
  resume(): AgentRunTask
  /** Closes the session's local wires; what the runtime does is not claimed (see `agentActions.cancelRun`). */
  abort(): void
  /** Changes what this component shows; the state stays as it is, and what streams goes on streaming. */
  setMessages(
    next: readonly ChatMessageInfo[] | ((messages: readonly ChatMessageInfo[]) => readonly ChatMessageInfo[]),
  ): void
  /** Changes one shown message; `false` where there is none of this id. */
  setMessage(messageId: string, change: ChatMessagePatch | ((info: ChatMessageInfo) => ChatMessagePatch)): boolean
  /** Hides one message; `false` where there is none of this id. */
  removeMessage(messageId: string): boolean
}

/** The hook of agent providers alone. */
export interface UseAgentChat {
  <Input = unknown, Parsed = ChatMessage>(options: XChatOptions<Input, Parsed>): XChat<Input, Parsed>
}

/**
 * A chat over a session (RFC, section 11). Several components may show one session; each has its own edits.
 *
 * @throws XChatError `invalid_conversation_key` where the key is an empty string
 * @example
 * const { messages, onRequest, isRequesting, abort } = agent.useXChat({ provider: 'support', conversationKey: id })
 */
export interface UseXChat extends UseAgentChat {
  /**
   * A chat over an ordinary chat provider of x-sdk, as x-sdk's own hook has it: messages, and nothing of an agent.
   *
   * @experimental
   */
  <Message, Parsed = Message, Input = Message, Output = Message>(
    options: ChatProviderOptions<Message, Parsed, Input, Output>,
  ): ChatProviderChat<Message, Parsed, Input>
}
