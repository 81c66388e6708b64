import type { AgentMessageState } from '../../src/state/entities/agentMessageState.ts'

/** A message that a chat shows: one of the state, or one that the app puts in, which needs a role and content only. */
export type ChatMessage = Pick<AgentMessageState, 'role' | 'content'> & Partial<AgentMessageState>
