import { createAgentEventFactory, type AgentEvent } from 'redux-agent'

/**
 * One run of `deltas` deltas: reasoning, then text, a message every 500; a tool call every 200 with its arguments in
 * pieces, an approval every 1,000. The events have been through JSON, as those of a wire have.
 */
export function createScript(options: { deltas: number; runId?: string; sessionId?: string; ends?: boolean }): AgentEvent[] {
  const { deltas, runId = '9f8b2c3e-1f7a-4c52-9d11-6a5d0c3e7b42', sessionId = 'conversation-1', ends = true } = options
  let time = 1_790_000_000_000
  const factory = createAgentEventFactory({ sessionId, runId, now: () => (time += 1) })
  const events: AgentEvent[] = [factory.create('run.started', { input: { message: 'Go.' } })]
  let messageId = ''
  let reasoningId = ''
  const closeMessage = () => messageId && events.push(factory.create('message.completed', { messageId }))

  for (let index = 0; index < deltas; index += 1) {
    const step = index % 500
    if (step === 0) {
      closeMessage()
      messageId = `5d1f0c3e-aaaa-4bbb-8ccc-${String(index).padStart(12, '0')}`
      reasoningId = `77aa0c3e-aaaa-4bbb-8ccc-${String(index).padStart(12, '0')}`
      events.push(factory.create('message.started', { messageId, role: 'assistant' }))
      events.push(factory.create('reasoning.started', { reasoningId }))
    }
    if (step < 100) events.push(factory.create('reasoning.delta', { reasoningId, delta: 'think ' }))
    else events.push(factory.create('message.delta', { messageId, delta: 'token ' }))
    if (step === 99 || (index === deltas - 1 && step < 99)) {
      events.push(factory.create('reasoning.completed', { reasoningId }))
    }
    if (index % 200 === 199) events.push(...toolCall(factory, `call_${index}`))
    if (index % 1000 === 999) {
      const approvalId = `approval_${index}`
      events.push(factory.create('approval.requested', { approvalId, description: 'Go on?', risk: 'low' }))
      events.push(factory.create('approval.resolved', { approvalId, decision: 'approved' }))
    }
  }
  closeMessage()
  if (ends) events.push(factory.create('run.completed', { usage: { outputTokens: deltas } }))
  return JSON.parse(JSON.stringify(events)) as AgentEvent[]
}

function toolCall(factory: ReturnType<typeof createAgentEventFactory>, toolCallId: string): AgentEvent[] {
  return [
    factory.create('tool.requested', { toolCallId, name: 'document_search' }),
    factory.create('tool.arguments_delta', { toolCallId, delta: '{"query":' }),
    factory.create('tool.arguments_delta', { toolCallId, delta: '"travel"}' }),
    factory.create('tool.running', { toolCallId }),
    factory.create('tool.completed', { toolCallId, result: { hits: 3 } }),
  ]
}
