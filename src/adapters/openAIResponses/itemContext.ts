import type { AgentEvent, AgentEventMeta } from '../../protocol/agentEvent.ts'
import type { AgentEventFactory } from '../../protocol/createAgentEventFactory.ts'
import type { ClaimedKind } from './createIdClaims.ts'
import type { WireFields } from './responseFields.ts'
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
  /**
   * Gives an entity's id: what the wire calls it, or that with a number where another of the run has it already. Not
   * every service's ids are of one item alone.
   */
  readonly claim: (kind: ClaimedKind, wish: string) => string
  /** What the first event of an entity notes of it. */
  readonly noteOf: (openai?: WireFields) => { readonly meta?: AgentEventMeta }
  /** Whether the next request must hold what the service does not keep. */
  readonly isStateless: boolean
}
