import type { AgentEvent } from '../protocol/agentEvent.ts'
import { AGENT_TRACE_FORMAT, type AgentTrace, type AgentTraceCheckpoint } from './agentTrace.ts'
import { AgentTraceError } from './agentTraceError.ts'

/**
 * Makes the trace of a run from its log, as a run server gives it.
 *
 * @throws AgentTraceError where there is no event, where two are of different runs, or where a sequence is not higher
 *   than the one before.
 * @experimental
 * @example
 * const trace = createAgentTrace({ events, title: 'Change the travel policy' })
 */
export function createAgentTrace(options: {
  events: readonly AgentEvent[]
  checkpoints?: readonly AgentTraceCheckpoint[] | undefined
  title?: string | undefined
  /** In milliseconds. */
  exportedAt?: number | undefined
}): AgentTrace {
  const { events, checkpoints = [], title, exportedAt } = options
  const [first] = events
  if (!first) throw new AgentTraceError('no_events', 'The trace has no event, so that there is nothing to show.')
  const { sessionId, runId } = first
  let last = -1
  events.forEach((event, index) => {
    if (event.runId !== runId || event.sessionId !== sessionId) {
      throw new AgentTraceError(
        'foreign_event',
        `Event ${index + 1} of the trace is of another run than the first. A trace holds one run.`,
      )
    }
    if (event.sequence <= last) {
      throw new AgentTraceError(
        'invalid_order',
        `Event ${index + 1} of the trace has sequence ${event.sequence} after ${last}. Sequences must go up.`,
      )
    }
    last = event.sequence
  })
  return {
    format: AGENT_TRACE_FORMAT,
    sessionId,
    runId,
    ...(title !== undefined && { title }),
    ...(exportedAt !== undefined && { exportedAt }),
    events,
    checkpoints: [...checkpoints].sort((one, other) => one.sequence - other.sequence),
  }
}
