import type { ChatMessage } from './chatMessage.ts'
import type { ChatMessageInfo } from './messageEdits.ts'

/** A message that stands before the session's own: an earlier turn, a greeting. */
export interface DefaultMessageInfo {
  /** `default_` and its index where it is left out. */
  id?: string | undefined
  message: ChatMessage
  /** `local` where it is left out. */
  status?: ChatMessageInfo['status'] | undefined
}

export function toDefaultMessages(messages: readonly DefaultMessageInfo[]): readonly ChatMessageInfo[] {
  return messages.map(({ id, message, status }, index) => ({
    id: id ?? `default_${index}`,
    message,
    status: status ?? 'local',
  }))
}
