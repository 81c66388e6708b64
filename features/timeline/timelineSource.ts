import type { AgentState } from '../../src/state/agentState.ts'
import type { AnyReactAgentRuntime } from '../createAgentRuntime.ts'
import type { TimelineFeed } from './createTimelineFeed.ts'

/** A session of a store: rows follow it, and send what a person wishes. */
export interface LiveSource {
  readonly kind: 'live'
  readonly agent: AnyReactAgentRuntime
  readonly sessionId: string
  readonly feed: TimelineFeed
  /** The keys of the tool calls of which the history tells a retry. */
  readonly retried: ReadonlySet<string>
}

/** A state that stays as it is: rows show what they are given, and nothing can be sent. */
export interface PastSource {
  readonly kind: 'past'
  readonly approvals: AgentState['approvals']
  /** How it all stood in the end. */
  readonly end: AgentState
}

/** Where a timeline's rows come from. */
export type TimelineSource = LiveSource | PastSource
