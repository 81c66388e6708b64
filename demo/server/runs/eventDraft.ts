import type { AgentEvent } from 'redux-agent'

type DraftOf<Event extends AgentEvent> = Pick<Event, 'type' | 'payload'>

/** An event that has not got its sequence yet: it gets one in the transaction that stores it. */
export type EventDraft = {
  [Type in AgentEvent['type']]: DraftOf<Extract<AgentEvent, { type: Type }>>
}[AgentEvent['type']]

/** A piece of text that may be gathered with its neighbours before it becomes an event. */
export type DeltaDraft =
  | { type: 'message.delta'; payload: { messageId: string; delta: string } }
  | { type: 'reasoning.delta'; payload: { reasoningId: string; delta: string } }
  | { type: 'tool.arguments_delta'; payload: { toolCallId: string; delta: string } }
