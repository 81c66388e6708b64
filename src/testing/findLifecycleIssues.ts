import type { AgentEvent } from '../protocol/agentEvent.ts'
import type { AgentEntityKind, AgentState } from '../state/agentState.ts'
import { recordOfKind } from '../state/agentState.ts'
import { isTerminal } from '../state/isTerminal.ts'
import { replayAgentEvents } from '../state/replayAgentEvents.ts'
import type { AgentProviderEventIssue } from './agentProviderEventIssue.ts'

/** Replays sound events of one run and tells what the reducer refused, and what is open though the run ended. */
export function findLifecycleIssues(events: readonly AgentEvent[]): AgentProviderEventIssue[] {
  const state = replayAgentEvents(events)
  // Without a start everything is refused, which the missing start says already.
  const started = Object.keys(state.runs).length > 0
  const refused = started
    ? state.issues.map(({ message, eventId }) => ({ code: 'invalid_lifecycle' as const, message, eventId }))
    : []
  return [...refused, ...findOpenEntities(state)]
}

function findOpenEntities(state: AgentState): AgentProviderEventIssue[] {
  const issues: AgentProviderEventIssue[] = []
  for (const run of Object.values(state.runs)) {
    if (!isTerminal(run.status)) continue
    for (const kind of Object.keys(recordOfKind) as AgentEntityKind[]) {
      for (const entity of Object.values(state[recordOfKind[kind]])) {
        if (isTerminal(entity.status)) continue
        const message = `The run is ${run.status}, yet its ${kind} "${entity.id}" is still ${entity.status}.`
        issues.push({ code: 'invalid_lifecycle', message })
      }
    }
  }
  return issues
}
