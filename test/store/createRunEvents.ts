import { createAgentEventFactory, type AgentEvent, type AgentEventFactory } from 'redux-agent'

/** A run's factory at a fixed time; sequences begin at 1, as a server counts. */
export function createRun(runId: string, sessionId = 's1'): AgentEventFactory {
  return createAgentEventFactory({ runId, sessionId, initialSequence: 0, now: () => 1000 })
}

/** The events of a short, complete run. */
export function createShortRun(runId: string, sessionId = 's1'): AgentEvent[] {
  const run = createRun(runId, sessionId)
  return [
    run.create('run.started', {}),
    run.create('message.started', { messageId: 'm', role: 'assistant' }),
    run.create('message.delta', { messageId: 'm', delta: 'Hello' }),
    run.create('message.delta', { messageId: 'm', delta: ' there' }),
    run.create('message.completed', { messageId: 'm' }),
    run.create('run.completed', {}),
  ]
}

/** The events of a run that waits for an answer. */
export function createParkedRun(runId: string): AgentEvent[] {
  const run = createRun(runId)
  return [run.create('run.started', {}), run.create('approval.requested', { approvalId: 'a1' })]
}
