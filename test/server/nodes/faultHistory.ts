import type { AgentCommand, AgentEvent, AgentState } from 'redux-agent'
import type { CommandBody } from '../support/createBrowser.ts'
import type { RunKind } from './faultScenario.ts'

/** A run that a person starts while there are faults. */
export interface FaultRun {
  runId: string
  conversationId: string
  kind: RunKind
  /** Stands in what it says and does, so that this can be told from that of others. */
  tag: string
}

/** What everybody saw, did and was told while there were faults; what is checked afterwards. */
export interface FaultHistory {
  runs: readonly FaultRun[]
  /** What each reader of a run was sent over all of its connections, in that order. */
  views: { reader: string; runId: string; events: AgentEvent[] }[]
  /** What stores showed of a run at some moment. */
  states: { reader: string; runId: string; state: AgentState }[]
  /** Every answer that arrived. */
  answers: { command: AgentCommand; status: number; body: CommandBody }[]
  /** What nodes say of errors that nobody foresaw. */
  failures: { node: string; name: string; text: string }[]
}
