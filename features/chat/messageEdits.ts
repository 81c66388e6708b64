import type { MessageInfo } from '../../src/selectors/messageInfo.ts'
import type { ChatMessage } from './chatMessage.ts'

/** A message as `useXChat` gives it. */
export type ChatMessageInfo = MessageInfo<ChatMessage>
/** What an edit changes of a message; what it leaves out goes on streaming. */
export type ChatMessagePatch = Partial<Pick<ChatMessageInfo, 'message' | 'status'>>

/** What a component changed in what it shows; the state's messages are facts and stay as they are. */
export interface MessageEdits {
  /** Ids as they were arranged; messages that came later follow them. */
  readonly order: readonly string[]
  readonly patches: ReadonlyMap<string, ChatMessagePatch>
  readonly added: ReadonlyMap<string, ChatMessageInfo>
  readonly removed: ReadonlySet<string>
}
