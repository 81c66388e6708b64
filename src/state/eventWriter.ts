import type { AgentEvent } from '../protocol/agentEvent.ts'
import type { AgentMessageContent } from '../protocol/agentMessageContent.ts'
import type { AgentEntityByKind, AgentEntityKind, AgentProtocolIssueCode } from './agentState.ts'
import type { AgentRunState } from './entities/agentRunState.ts'
import type { AgentSessionState } from './entities/agentSessionState.ts'

/** Drops `readonly`: for the copies that a batch owns. */
export type Mutable<Value> = { -readonly [Key in keyof Value]: Value[Key] }

/** What an entity's start event states besides what the writer fills in itself. */
export type NewEntity<Kind extends AgentEntityKind> = Omit<
  AgentEntityByKind[Kind],
  'runId' | 'parentId' | 'createdAt' | 'updatedAt' | 'meta'
>

/** What a handler may do to the state. Each method that can refuse records the issue itself and says so. */
export interface EventWriter {
  /** Adds an entity at the end of the order; `false` where its id is taken. */
  add<Kind extends AgentEntityKind>(event: AgentEvent, kind: Kind, entity: NewEntity<Kind>): boolean
  /**
   * Gives the batch's own copy of an open entity, nothing where it is missing or terminal; its `updatedAt` and `meta` are
   * set once the event is accepted.
   */
  open<Kind extends AgentEntityKind>(
    event: AgentEvent,
    kind: Kind,
    id: string,
  ): Mutable<AgentEntityByKind[Kind]> | undefined
  /** Appends to content, in place where the batch owns the list. */
  append(content: AgentMessageContent, delta: AgentMessageContent): AgentMessageContent
  addRun(event: AgentEvent, run: Pick<AgentRunState, 'input'>): boolean
  /** Ends the event's run with what its event states. */
  endRun(event: AgentEvent, end: Omit<Partial<AgentRunState>, 'status'> & Pick<AgentRunState, 'status'>): true
  addSession(event: AgentEvent, session: Pick<AgentSessionState, 'title'>): boolean
  reject(event: AgentEvent, code: AgentProtocolIssueCode, message: string): false
}

/** The handlers of a group of event types; each says whether it accepted its event. */
export type EventHandlers<Type extends AgentEvent['type']> = {
  readonly [EventType in Type]: (writer: EventWriter, event: Extract<AgentEvent, { type: EventType }>) => boolean
}
