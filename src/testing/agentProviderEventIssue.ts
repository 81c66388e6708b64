/** What can be wrong with a run's events. */
export type AgentProviderEventIssueCode =
  | 'duplicate_event_id'
  | 'inconsistent_run'
  | 'invalid_event'
  | 'invalid_lifecycle'
  | 'invalid_sequence'
  | 'missing_run_start'
  | 'missing_run_terminal'
  | 'multiple_run_terminals'
  | 'undeclared_event_type'

/** One fault of a provider, and the event that shows it. */
export interface AgentProviderEventIssue {
  code: AgentProviderEventIssueCode
  message: string
  eventId?: string | undefined
}
