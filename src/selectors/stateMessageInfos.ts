import type { MessageInfo, MessageStatus } from './messageInfo.ts'

/** What was made of each message of a state, by its status; nothing of any other message. */
export const stateMessageInfos = new WeakMap<object, Partial<Record<MessageStatus, MessageInfo>>>()
