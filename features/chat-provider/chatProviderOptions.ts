import type { ConversationKey } from '../chat/createUseSessionId.ts'
import type { ChatProvider, ChatProviderMessage } from './chatProvider.ts'

type Extra = Readonly<Record<string, unknown>>

/** A message to begin with; `local` and an id of its own unless it says otherwise. */
export type DefaultChatMessage<Message> = Pick<ChatProviderMessage<Message>, 'message'> &
  Partial<ChatProviderMessage<Message>>

/** What `useXChat` is given for an ordinary chat provider, as x-sdk's own takes it (RFC, sections 1 and 11.2). */
export interface ChatProviderOptions<Message, Parsed, Input, Output> {
  provider: ChatProvider<Message, Input, Output>
  conversationKey?: ConversationKey | undefined
  defaultMessages?:
    | readonly DefaultChatMessage<Message>[]
    | ((info: {
        conversationKey: ConversationKey | undefined
      }) => readonly DefaultChatMessage<Message>[] | Promise<readonly DefaultChatMessage<Message>[]>)
    | undefined
  /** Makes what is shown of a message: one thing, or several. */
  parser?: ((message: Message) => Parsed | Parsed[]) | undefined
  /** Stands where the answer will be, until it begins. */
  requestPlaceholder?: Message | ((params: Partial<Input>, info: { messages: Message[] }) => Message) | undefined
  /** Stands where the answer would be, once the request has failed. */
  requestFallback?:
    | Message
    | ((
        params: Partial<Input>,
        info: {
          error: Error
          errorInfo?: unknown
          messages: Message[]
          messageInfo: ChatProviderMessage<Message>
        },
      ) => Message | Promise<Message>)
    | undefined
}

/** What `useXChat` gives for an ordinary chat provider: messages alone, no state of an agent and no commands. */
export interface ChatProviderChat<Message, Parsed, Input> {
  readonly messages: readonly ChatProviderMessage<Message>[]
  readonly parsedMessages: readonly ChatProviderMessage<Parsed>[]
  readonly agentState: undefined
  readonly agentActions?: undefined
  readonly isRequesting: boolean
  readonly isDefaultMessagesRequesting: boolean
  onRequest(params: Partial<Input>, options?: { extraInfo?: Extra | undefined }): void
  /**
   * Asks again, and puts the answer where a message stands.
   *
   * @throws XChatError `unknown_message`
   */
  onReload(id: string | number, params: Partial<Input>, options?: { extraInfo?: Extra | undefined }): void
  /** Asks once the conversation of that key is the one that is shown, and its first messages are there. */
  queueRequest(key: ConversationKey, params: Partial<Input>, options?: { extraInfo?: Extra | undefined }): void
  abort(): void
  setMessages(
    next:
      | readonly ChatProviderMessage<Message>[]
      | ((messages: readonly ChatProviderMessage<Message>[]) => readonly ChatProviderMessage<Message>[]),
  ): boolean
  setMessage(
    id: string | number,
    change:
      | Partial<ChatProviderMessage<Message>>
      | ((message: ChatProviderMessage<Message>) => Partial<ChatProviderMessage<Message>>),
  ): boolean
  removeMessage(id: string | number): boolean
}
