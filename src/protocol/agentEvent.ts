import type { AgentEventPayloadMap, AgentEventType } from './agentEventPayloads.ts'
import type { AgentEventProtocolVersion } from './agentEventProtocol.ts'

/** Whatever else travels with an event or a command: JSON that the protocol does not read. */
export type AgentEventMeta = Readonly<Record<string, unknown>>

/** What every event carries; `sequence` is an integer ≥ 0 that rises within a run, `timestamp` is in milliseconds. */
export interface AgentEventEnvelope<Type extends AgentEventType, Payload> {
  readonly protocolVersion: AgentEventProtocolVersion
  readonly type: Type
  readonly eventId: string
  readonly sessionId: string
  readonly runId: string
  readonly sequence: number
  readonly timestamp: number
  readonly parentId?: string | undefined
  readonly payload: Payload
  readonly meta?: AgentEventMeta | undefined
}

/** The event of one type. */
export type AgentEventOf<Type extends AgentEventType> = AgentEventEnvelope<Type, AgentEventPayloadMap[Type]>

/** A fact that the runtime states, discriminated by `type` (RFC, section 2). */
export type AgentEvent = { [Type in AgentEventType]: AgentEventOf<Type> }[AgentEventType]
