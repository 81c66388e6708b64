import { AgentModuleError } from '../agentModuleError.ts'
import type { AgentProtocolIssue, AgentProtocolIssueCode } from './agentState.ts'

/** Thrown by a strict store for the first event of a batch that the reducer refused; nothing was committed. */
export class AgentProtocolError extends AgentModuleError<AgentProtocolIssueCode> {
  readonly issue: AgentProtocolIssue

  constructor(issue: AgentProtocolIssue) {
    super({ name: 'AgentProtocolError', code: issue.code, message: issue.message })
    this.issue = issue
  }
}
