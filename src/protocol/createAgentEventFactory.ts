import { AgentModuleError } from '../agentModuleError.ts'
import type { AgentEventMeta, AgentEventOf } from './agentEvent.ts'
import type { AgentEventPayloadMap, AgentEventType } from './agentEventPayloads.ts'
import { AGENT_EVENT_PROTOCOL_VERSION } from './agentEventProtocol.ts'
import { getAgentEventId } from './getAgentEventId.ts'

/** Where a run's events belong, and how its clock, ids and sequence are made. */
export interface AgentRunOptions {
  sessionId: string
  runId: string
  signal?: AbortSignal | undefined
  /** The last sequence that is already there; the first event gets the next one. Without it, 0 is first. */
  initialSequence?: number | undefined
  /** The clock, in milliseconds; `Date.now` by default. */
  now?: (() => number) | undefined
  createEventId?: ((sequence: number, type: AgentEventType) => string) | undefined
}

/** What a provider may state of a single event instead of the factory. */
export interface AgentEventOptions {
  eventId?: string | undefined
  sequence?: number | undefined
  timestamp?: number | undefined
  parentId?: string | undefined
  meta?: AgentEventMeta | undefined
}

/** Makes the events of one run, each with the sequence after the highest so far unless another is stated. */
export interface AgentEventFactory {
  create<Type extends AgentEventType>(
    type: Type,
    payload: AgentEventPayloadMap[Type],
    options?: AgentEventOptions,
  ): AgentEventOf<Type>
  /** The highest sequence given, or `initialSequence`, or -1. */
  getSequence(): number
}

/**
 * Makes a factory of a run's events: sequences rise by one, ids are `runId:sequence:type` unless stated otherwise; an
 * `initialSequence` or a `sequence` that is no integer in range throws an AgentModuleError, `invalid_sequence`.
 *
 * @throws AgentModuleError (`invalid_sequence`), also from `create`.
 * @example
 * const events = createAgentEventFactory({ sessionId: 's1', runId: 'r1' })
 * events.create('message.delta', { messageId: 'm1', delta: 'Hello' })
 */
export function createAgentEventFactory(run: AgentRunOptions): AgentEventFactory {
  const { sessionId, runId, now = Date.now } = run
  const createEventId = run.createEventId ?? ((sequence, type) => getAgentEventId({ runId, sequence, type }))
  let last = run.initialSequence ?? -1
  if (!Number.isSafeInteger(last) || last < -1) {
    throw toSequenceError('initialSequence is no integer of at least -1: give the last sequence that is there, or nothing.')
  }
  return {
    create(type, payload, options = {}) {
      const sequence = options.sequence ?? last + 1
      if (!Number.isSafeInteger(sequence) || sequence < 0) {
        throw toSequenceError('The sequence of an event is no integer from 0 to 2^53 - 1: state another, or none.')
      }
      last = Math.max(last, sequence)
      return {
        protocolVersion: AGENT_EVENT_PROTOCOL_VERSION,
        type,
        eventId: options.eventId ?? createEventId(sequence, type),
        sessionId,
        runId,
        sequence,
        timestamp: options.timestamp ?? now(),
        ...(options.parentId !== undefined && { parentId: options.parentId }),
        payload,
        ...(options.meta !== undefined && { meta: options.meta }),
      }
    },
    getSequence: () => last,
  }
}

function toSequenceError(message: string): AgentModuleError {
  return new AgentModuleError({ name: 'AgentEventFactoryError', code: 'invalid_sequence', message })
}
