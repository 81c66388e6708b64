import { createAgentEventFactory, type AgentEvent } from 'redux-agent'

/** A run with all that a replay shows: reasoning, text, tools, a retry, a decided approval; its times are told. */
export function createSampleEvents(options: { runId?: string; deltas?: number } = {}): AgentEvent[] {
  const { runId = 'r1', deltas = 3 } = options
  let time = 1000
  const { create } = createAgentEventFactory({ sessionId: 's1', runId, initialSequence: 0, now: () => (time += 100) })
  return [
    create('run.started', { input: 'Change it' }),
    create('message.started', { messageId: 'u', role: 'user', content: 'Change it' }),
    create('message.completed', { messageId: 'u' }),
    create('reasoning.started', { reasoningId: 't' }),
    create('reasoning.delta', { reasoningId: 't', delta: 'Let me see' }),
    create('reasoning.completed', { reasoningId: 't' }),
    create('tool.requested', { toolCallId: 'a', name: 'search', arguments: '{"q":' }),
    create('tool.arguments_delta', { toolCallId: 'a', delta: '"x"}' }),
    create('tool.running', { toolCallId: 'a' }),
    create('tool.failed', { toolCallId: 'a', error: { message: 'Busy', retryable: true } }),
    create('tool.requested', { toolCallId: 'b', name: 'search', arguments: '{"q":"x"}', attempt: 2, retryOf: 'a' }),
    create('tool.completed', { toolCallId: 'b', result: { hits: 1 } }),
    create('tool.requested', { toolCallId: 'c', name: 'write', arguments: '{"text":"new"}' }),
    create('approval.requested', { approvalId: 'p', toolCallId: 'c', description: 'Write it', data: { text: 'new' } }),
    create('approval.resolved', { approvalId: 'p', decision: 'approved' }),
    create('tool.running', { toolCallId: 'c' }),
    create('tool.completed', { toolCallId: 'c', result: 'ok' }),
    create('message.started', { messageId: 'm', role: 'assistant' }),
    ...Array.from({ length: deltas }, (_, index) => create('message.delta', { messageId: 'm', delta: `w${index} ` })),
    create('message.completed', { messageId: 'm' }),
    create('run.completed', {}),
  ]
}
