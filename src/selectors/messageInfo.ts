import type { AgentMessageState } from '../state/entities/agentMessageState.ts'

/** Where a shown message stands; `local` is what a person said (design, section 3). */
export type MessageStatus = 'local' | 'updating' | 'success' | 'error' | 'abort'

/** A message as a chat shows it. */
export interface MessageInfo<Message = AgentMessageState> {
  readonly id: string
  readonly message: Message
  readonly status: MessageStatus
}
