/** What can be wrong with the way in which a provider takes commands. */
export type AgentProviderCommandIssueCode =
  | 'event_after_abort'
  | 'foreign_event'
  | 'ignored_abort'
  | 'invalid_answer'
  | 'invalid_command'
  | 'invalid_event'
  | 'invalid_sequence'
  | 'missing_execute_command'
  | 'rejected_command'
  | 'synchronous_throw'
  | 'undeclared_command'
  | 'undeclared_event_type'
  | 'unended_answer'

/** One fault of a provider, the command that shows it, and the event, where one does. */
export interface AgentProviderCommandIssue {
  code: AgentProviderCommandIssueCode
  message: string
  commandId?: string | undefined
  eventId?: string | undefined
}
