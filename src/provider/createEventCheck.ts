import type { AgentEvent } from '../protocol/agentEvent.ts'
import { isAgentEvent } from '../protocol/isAgentEvent.ts'
import type { AnyAgentProvider } from './agentProvider.ts'

/** What is wrong with an event. */
export interface EventFault {
  code: 'invalid_event' | 'foreign_event' | 'undeclared_event_type' | 'invalid_sequence'
  message: string
}

/** One stream of a run's events, as its provider emits them. */
export interface EventStream {
  provider: AnyAgentProvider
  sessionId: string
  runId: string
  /** The last sequence that is known from elsewhere. */
  known: number
  /** Whether events that are known may come again and must only rise among themselves: a stream taken up again. */
  repeats?: boolean | undefined
}

/**
 * Makes the check that every event of one stream goes through, once: it is an AgentEvent, of this session and run, of
 * a declared type, and its sequence rises. An event may come again, which a dense provider's sequence tells, and another
 * one's id; whoever consumes the events absorbs it.
 */
export function createEventCheck(stream: EventStream): (event: unknown) => EventFault | undefined {
  const { provider, sessionId, runId, known } = stream
  const declared = new Set<string>(provider.capabilities.eventTypes)
  const dense = provider.capabilities.sequence === 'dense'
  const floor = stream.repeats && !dense ? -1 : known
  let last = floor
  // Where the unbroken row that ends at `last` began: what lies in it has been here.
  let rowStart = last + 1

  // The ids that this stream has brought, in a list that costs next to nothing until one of them comes again.
  let passed: string[] = []
  const passedBefore = new Set<string>()

  function hasPassed(eventId: string): boolean {
    for (const id of passed) passedBefore.add(id)
    passed = []
    return passedBefore.has(eventId)
  }

  const fault = (code: EventFault['code'], what: string): EventFault => ({
    code,
    message: `Provider "${provider.id}" emitted ${what}`,
  })

  function checkSequence({ type, sequence, eventId }: AgentEvent): EventFault | undefined {
    if (sequence > last) {
      if (!dense) passed.push(eventId)
      if (sequence !== last + 1) rowStart = sequence
      last = sequence
      return undefined
    }
    const isRepeated = dense ? sequence <= known || sequence >= rowStart : sequence > floor && hasPassed(eventId)
    if (isRepeated) return undefined
    return fault('invalid_sequence', `"${type}" with sequence ${sequence}, which must be greater than ${last}.`)
  }

  return (event) => {
    if (!isAgentEvent(event)) return fault('invalid_event', `an invalid event${typeHint(event)}.`)
    if (event.sessionId !== sessionId || event.runId !== runId) {
      return fault('foreign_event', `"${event.type}" outside the active session or run.`)
    }
    if (!declared.has(event.type)) {
      return fault('undeclared_event_type', `undeclared event type "${event.type}"; add it to capabilities.eventTypes.`)
    }
    return checkSequence(event)
  }
}

// The type alone is told, and only a plain one: the rest of an invalid event may hold anything.
function typeHint(event: unknown): string {
  try {
    const { type } = event as { type?: unknown }
    return typeof type === 'string' && /^[\w.]{1,64}$/.test(type) ? ` of type "${type}"` : ''
  } catch {
    // What is no object, or throws when it is read, has none.
    return ''
  }
}
