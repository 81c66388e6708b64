import type { AgentEvent } from '../../protocol/agentEvent.ts'
import type { AgentEventFactory } from '../../protocol/createAgentEventFactory.ts'
import type { ResponseState } from './responseState.ts'

/** What the parts of an item mapper share. */
export interface ItemContext {
  readonly events: AgentEventFactory
  /** What a cursor holds; it is written in place. */
  readonly getState: () => ResponseState
  readonly push: (event: AgentEvent) => void
  /** Whether a part of the stream may never come: it was taken up again, or its numbers do not follow each other. */
  readonly mayLack: () => boolean
  /** Ends the reading with what is wrong; it names kinds, never content. */
  readonly fail: (what: string) => never
  /** Whether the next request must hold what the service does not keep. */
  readonly isStateless: boolean
}
