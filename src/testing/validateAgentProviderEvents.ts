import type { AgentEvent } from '../protocol/agentEvent.ts'
import { isAgentEvent } from '../protocol/isAgentEvent.ts'
import type { AgentProviderCapabilities } from '../provider/agentProvider.ts'
import type { AgentProviderEventIssue, AgentProviderEventIssueCode } from './agentProviderEventIssue.ts'
import { isRunEnd } from '../state/isRunEnd.ts'
import { findLifecycleIssues } from './findLifecycleIssues.ts'
import { readEventId } from './readEventId.ts'

/**
 * Checks all events of one run that a provider emitted against the contract: valid, declared, of one run, in sequence
 * (dense where it says so), each id once, from one start to one end, every entity by its lifecycle and closed at the
 * end. No issue means that the provider keeps it.
 *
 * @example
 * expect(validateAgentProviderEvents(provider.capabilities, events)).toEqual([])
 */
export function validateAgentProviderEvents(
  capabilities: AgentProviderCapabilities,
  events: readonly unknown[],
): AgentProviderEventIssue[] {
  const issues: AgentProviderEventIssue[] = []
  const sound: AgentEvent[] = []
  const seen = new Set<string>()
  const declared = new Set<string>(capabilities.eventTypes)
  const dense = capabilities.sequence === 'dense'
  let last: number | undefined
  let ended = false

  const report = (code: AgentProviderEventIssueCode, message: string, eventId?: string) =>
    issues.push({ code, message, ...(eventId !== undefined && { eventId }) })

  for (const [index, event] of events.entries()) {
    if (!isAgentEvent(event)) {
      report('invalid_event', `Event ${index} is no AgentEvent 0.1.`, readEventId(event))
      continue
    }
    const { type, eventId, sequence } = event
    const first = sound[0] ?? event
    const isRepeated = seen.has(eventId)
    const isForeign = event.sessionId !== first.sessionId || event.runId !== first.runId
    const isLate = last !== undefined && sequence <= last
    const isSecondEnd = isRunEnd(event) && ended
    if (!declared.has(type)) report('undeclared_event_type', `"${type}" is not in capabilities.eventTypes.`, eventId)
    if (isRepeated) report('duplicate_event_id', `"${type}" has the id of an earlier event.`, eventId)
    if (isForeign) report('inconsistent_run', `"${type}" is of another session or run than the first event.`, eventId)
    if (isLate) report('invalid_sequence', `"${type}" has sequence ${sequence}, which is not above ${last}.`, eventId)
    else if (dense && last !== undefined && sequence !== last + 1) {
      report('invalid_sequence', `"${type}" has sequence ${sequence}, but the next one is ${last + 1}.`, eventId)
    }
    if (isSecondEnd) report('multiple_run_terminals', `"${type}" comes after the run's end.`, eventId)
    seen.add(eventId)
    last = Math.max(last ?? sequence, sequence)
    ended ||= isRunEnd(event)
    // What the reducer would refuse for the reason just told is not told again as a matter of lifecycle.
    if (!isRepeated && !isForeign && !isLate && !isSecondEnd) sound.push(event)
  }

  if (!sound.some(({ type }) => type === 'run.started')) report('missing_run_start', 'There is no "run.started".')
  if (!ended) report('missing_run_terminal', 'The run has no end: completed, failed or cancelled.')
  return [...issues, ...findLifecycleIssues(sound)]
}
