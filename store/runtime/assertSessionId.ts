import { AgentRuntimeError } from '../agentRuntimeError.ts'

/**
 * Lets no session be without a name, which no event, command or checkpoint may be of.
 *
 * @throws AgentRuntimeError (`invalid_session`)
 */
export function assertSessionId(sessionId: unknown): void {
  if (typeof sessionId === 'string' && sessionId !== '') return
  const message = 'A session needs a sessionId that is a string and not empty; useXChat makes it of its conversationKey.'
  throw new AgentRuntimeError('invalid_session', message)
}
