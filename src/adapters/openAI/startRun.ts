import type { AgentEvent } from '../../protocol/agentEvent.ts'
import type { AgentMessageContent } from '../../protocol/agentMessageContent.ts'
import type { AgentEventFactory } from '../../protocol/createAgentEventFactory.ts'
import { omitUndefined } from '../../state/omitUndefined.ts'
import type { OpenAIInput } from './openAIInput.ts'
import { userMessageId } from './userMessageId.ts'

/**
 * Begins a run with the person's message. What else the input says stays with the run, since later requests need it:
 * answers to calls, and what a continuation is asked for with.
 */
export function startRun(
  events: AgentEventFactory,
  options: { message: AgentMessageContent | undefined; kept: OpenAIInput },
): AgentEvent[] {
  const { message } = options
  const kept = omitUndefined(options.kept)
  const started = events.create('run.started', Object.keys(kept).length > 0 ? { input: kept } : {})
  if (message === undefined) return [started]
  return [
    started,
    events.create('message.started', { messageId: userMessageId, role: 'user', content: message }),
    events.create('message.completed', { messageId: userMessageId }),
  ]
}
