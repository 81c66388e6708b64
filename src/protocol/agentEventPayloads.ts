import type * as z from 'zod/mini'
import { approvalPayloads } from './payloads/approvalPayloads.ts'
import { artifactPayloads } from './payloads/artifactPayloads.ts'
import { messagePayloads } from './payloads/messagePayloads.ts'
import { reasoningPayloads } from './payloads/reasoningPayloads.ts'
import { runPayloads } from './payloads/runPayloads.ts'
import { sessionPayloads } from './payloads/sessionPayloads.ts'
import { taskPayloads } from './payloads/taskPayloads.ts'
import { toolPayloads } from './payloads/toolPayloads.ts'

/** Payload schema of each of the 32 event types; its key order is the type's code in a checkpoint, so it only grows. */
export const agentEventPayloads = {
  ...sessionPayloads,
  ...runPayloads,
  ...messagePayloads,
  ...reasoningPayloads,
  ...toolPayloads,
  ...approvalPayloads,
  ...taskPayloads,
  ...artifactPayloads,
}

/** One of the 32 types of AgentEvent 0.1. */
export type AgentEventType = keyof typeof agentEventPayloads

/** The payload of each event type. */
export type AgentEventPayloadMap = {
  [Type in AgentEventType]: z.infer<(typeof agentEventPayloads)[Type]>
}
