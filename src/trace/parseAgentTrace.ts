import * as z from 'zod/mini'
import { parseJson } from '../parseJson.ts'
import type { AgentEvent } from '../protocol/agentEvent.ts'
import { nonEmptyString } from '../protocol/fields.ts'
import { isAgentEvent } from '../protocol/isAgentEvent.ts'
import { listOf } from '../protocol/listOf.ts'
import { isFilled, isRecord } from '../protocol/predicates.ts'
import { AGENT_TRACE_FORMAT, type AgentTrace, type AgentTraceCheckpoint } from './agentTrace.ts'
import { AgentTraceError } from './agentTraceError.ts'
import { assertTraceSize } from './assertTraceSize.ts'
import type { AgentTraceLimits } from './agentTraceLimits.ts'
import { createAgentTrace } from './createAgentTrace.ts'

const family = /^redux-agent-trace\//
const defaultMaxEvents = 200_000

function isCheckpoint(value: unknown): value is AgentTraceCheckpoint {
  return isRecord(value) && Number.isSafeInteger(value.sequence) && (value.sequence as number) >= 0 && isFilled(value.kind)
}

/** All but the events, which are looked into one by one, so that the first that is wrong can be named. */
const headSchema = z.object({
  sessionId: nonEmptyString,
  runId: nonEmptyString,
  title: z.optional(z.string()),
  exportedAt: z.optional(z.number()),
  events: z.custom<readonly unknown[]>(Array.isArray),
  checkpoints: listOf(isCheckpoint),
})

/**
 * Reads the text of a trace file, which may be anybody's: each event is checked as one off the wire is, and what the
 * format does not know is left out.
 *
 * @throws AgentTraceError where it is no trace, one of another version, or one beyond the limits.
 * @experimental
 * @example
 * const { events } = parseAgentTrace(text, { maxEvents: 50_000 })
 */
export function parseAgentTrace(text: string, limits: AgentTraceLimits = {}): AgentTrace {
  const { maxEvents = defaultMaxEvents } = limits
  assertTraceSize(text.length, limits)
  const value = parseJson(text)
  if (value === undefined) {
    throw new AgentTraceError('not_json', 'The file is not JSON. Choose a file that was exported as a trace.')
  }
  if (!isRecord(value) || typeof value.format !== 'string' || !family.test(value.format)) {
    throw new AgentTraceError('not_a_trace', 'The file is JSON, but no trace. Choose a file that was exported as one.')
  }
  if (value.format !== AGENT_TRACE_FORMAT) {
    throw new AgentTraceError(
      'unsupported_format',
      `The trace is not of the format ${AGENT_TRACE_FORMAT}, the only one known here. A newer version may read it.`,
    )
  }
  const head = headSchema.safeParse(value)
  if (!head.success) {
    const path = head.error.issues[0]?.path.join('.') ?? ''
    throw new AgentTraceError('invalid_trace', `The trace is damaged: "${path}" is not what it must be.`)
  }
  const { events, checkpoints, sessionId, runId, ...rest } = head.data
  if (events.length > maxEvents || checkpoints.length > maxEvents) {
    throw new AgentTraceError(
      'too_many_events',
      `The trace has more than ${maxEvents} events, or checkpoints, which is the limit here.`,
    )
  }
  const invalid = events.findIndex((event) => !isAgentEvent(event))
  if (invalid >= 0) {
    throw new AgentTraceError('invalid_event', `The trace is damaged: event ${invalid + 1} is no AgentEvent 0.1.`)
  }
  const trace = createAgentTrace({
    ...rest,
    events: events as readonly AgentEvent[],
    checkpoints: checkpoints.map(({ sequence, kind }) => ({ sequence, kind })),
  })
  if (trace.runId !== runId || trace.sessionId !== sessionId) {
    throw new AgentTraceError('foreign_event', 'The events of the trace are of another run than the one it names.')
  }
  return trace
}
