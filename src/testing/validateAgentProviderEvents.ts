import type { AgentEvent } from '../protocol/agentEvent.ts'
import { isAgentEvent } from '../protocol/isAgentEvent.ts'
import type { AgentProviderCapabilities } from '../provider/agentProvider.ts'
import type { AgentProviderEventIssue, AgentProviderEventIssueCode } from './agentProviderEventIssue.ts'
import { findLifecycleIssues } from './findLifecycleIssues.ts'

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
  let last: number | undefined
  let terminals = 0

  const report = (code: AgentProviderEventIssueCode, message: string, eventId?: string) =>
    issues.push({ code, message, ...(eventId !== undefined && { eventId }) })

  for (const [index, event] of events.entries()) {
    if (!isAgentEvent(event)) {
      report('invalid_event', `Event ${index} is no AgentEvent 0.1.`, readEventId(event))
      continue
    }
    const { type, eventId, sequence } = event
    const before = issues.length
    if (!declared.has(type)) report('undeclared_event_type', `"${type}" is not in capabilities.eventTypes.`, eventId)
    if (seen.has(eventId)) report('duplicate_event_id', `"${type}" has the id of an earlier event.`, eventId)
    seen.add(eventId)
    const first = sound[0] ?? event
    if (event.sessionId !== first.sessionId || event.runId !== first.runId) {
      report('inconsistent_run', `"${type}" is of another session or run than the first event.`, eventId)
    }
    const fault = checkSequence(capabilities, sequence, last)
    if (fault !== undefined) report('invalid_sequence', `"${type}" has sequence ${sequence}, ${fault}.`, eventId)
    last = Math.max(last ?? sequence, sequence)
    if (isTerminal(event)) {
      terminals += 1
      if (terminals > 1) report('multiple_run_terminals', `"${type}" comes after the run's end.`, eventId)
    }
    if (issues.length === before || isDeclarationOnly(issues, before)) sound.push(event)
  }

  if (!sound.some(({ type }) => type === 'run.started')) report('missing_run_start', 'There is no "run.started".')
  if (terminals === 0) report('missing_run_terminal', 'The run has no end: completed, failed or cancelled.')
  return [...issues, ...findLifecycleIssues(sound)]
}

function checkSequence(
  { sequence: kind }: AgentProviderCapabilities,
  sequence: number,
  last: number | undefined,
): string | undefined {
  if (last === undefined) return undefined
  if (sequence <= last) return `which is not above ${last}`
  return kind === 'dense' && sequence !== last + 1 ? `but a dense provider's next one is ${last + 1}` : undefined
}

function isTerminal({ type }: AgentEvent): boolean {
  return type === 'run.completed' || type === 'run.failed' || type === 'run.cancelled'
}

// An event that only was not declared is still part of the run, and its absence would break other lifecycles.
function isDeclarationOnly(issues: readonly AgentProviderEventIssue[], from: number): boolean {
  return issues.slice(from).every(({ code }) => code === 'undeclared_event_type')
}

function readEventId(event: unknown): string | undefined {
  if (typeof event !== 'object' || event === null || !('eventId' in event)) return undefined
  return typeof event.eventId === 'string' ? event.eventId : undefined
}
