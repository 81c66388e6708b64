import { createAgentEventFactory } from 'redux-agent'
import type { AgentEvent, AgentEventPayloadMap, AgentEventType } from 'redux-agent'

/** Makes the events of one run at fixed times, so that states can be compared. */
export function createScript(options: { runId?: string; sessionId?: string; initialSequence?: number } = {}) {
  const { runId = 'r1', sessionId = 's1', initialSequence } = options
  let time = 1000
  const factory = createAgentEventFactory({ runId, sessionId, initialSequence, now: () => (time += 1) })
  return factory
}

/** Makes one event whose every field is stated. */
export function createEvent<Type extends AgentEventType>(
  type: Type,
  payload: AgentEventPayloadMap[Type],
  options: Partial<
    Pick<AgentEvent, 'eventId' | 'sessionId' | 'runId' | 'sequence' | 'timestamp' | 'parentId' | 'meta'>
  > = {},
): AgentEvent {
  const { sessionId = 's1', runId = 'r1', sequence = 0, ...stated } = options
  const factory = createAgentEventFactory({ sessionId, runId, now: () => 1000 + sequence })
  return factory.create(type, payload, { sequence, ...stated }) as unknown as AgentEvent
}
