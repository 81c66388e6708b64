import { createAgentEventFactory, replayAgentEvents, type AgentEvent } from 'redux-agent'
import { toUIMessages } from 'redux-agent/adapters/ai-sdk'
import { expect, it } from 'vitest'

it('makes UI messages of a run that has more of them than a call can be given arguments', () => {
  const many = 130_000
  const { create } = createAgentEventFactory({ sessionId: 's1', runId: 'r1', now: () => 1000 })
  const started = replayAgentEvents([
    create('run.started', {}),
    create('message.started', { messageId: 'm', role: 'user' }),
    create('message.completed', { messageId: 'm', content: 'Go' }),
  ] as AgentEvent[])
  const [key, message] = Object.entries(started.messages)[0]!
  const ids = Array.from({ length: many }, (_, index) => `m${index}`)
  const state = {
    ...started,
    messages: Object.fromEntries(ids.map((id) => [`${key}${id.slice(1)}`, { ...message, id }])),
    order: ids.map((id) => ({ ...started.order[0]!, id })),
  }
  expect(toUIMessages(state)).toHaveLength(many)
})
