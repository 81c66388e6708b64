import type { AgentEvent } from '../../protocol/agentEvent.ts'
import type { EventHandlers, EventWriter } from '../eventWriter.ts'
import { approvalHandlers } from './approvalHandlers.ts'
import { artifactHandlers } from './artifactHandlers.ts'
import { messageHandlers } from './messageHandlers.ts'
import { reasoningHandlers } from './reasoningHandlers.ts'
import { runHandlers } from './runHandlers.ts'
import { sessionHandlers } from './sessionHandlers.ts'
import { taskHandlers } from './taskHandlers.ts'
import { toolHandlers } from './toolHandlers.ts'

// The annotation is what makes the table exhaustive: a type without a handler does not compile.
const handlers: EventHandlers<AgentEvent['type']> = {
  ...sessionHandlers,
  ...runHandlers,
  ...messageHandlers,
  ...reasoningHandlers,
  ...toolHandlers,
  ...approvalHandlers,
  ...taskHandlers,
  ...artifactHandlers,
}

/** Applies an event of one type; says whether it was accepted. */
export type EventHandler = (writer: EventWriter, event: AgentEvent) => boolean

/** The handler of each event type; a Map, because the type's string comes from JSON and is not interned. */
export const eventHandlers: ReadonlyMap<string, EventHandler> = new Map(Object.entries(handlers) as [string, EventHandler][])
