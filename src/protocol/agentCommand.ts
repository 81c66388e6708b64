import * as z from 'zod/mini'
import type { AgentEventMeta } from './agentEvent.ts'
import { AGENT_COMMAND_PROTOCOL, AGENT_COMMAND_PROTOCOL_VERSION } from './agentCommandProtocol.ts'
import { nonEmptyString, optionalJson, optionalText, optionalVersion } from './fields.ts'

/** Payload schema of each command (RFC, section 7.2). */
export const agentCommandPayloads = {
  'approval.resolve': z.object({
    approvalId: nonEmptyString,
    decision: z.enum(['approved', 'rejected', 'modified']),
    data: optionalJson,
    expectedVersion: optionalVersion,
  }),
  'tool.retry': z.object({ toolCallId: nonEmptyString }),
  'run.cancel': z.object({ reason: optionalText }),
}

/** What a command can ask for. */
export type AgentCommandType = keyof typeof agentCommandPayloads
/** What each command says (RFC, section 7.2). */
export type AgentCommandPayloadMap = {
  [Type in AgentCommandType]: z.infer<(typeof agentCommandPayloads)[Type]>
}

/** What every command carries (RFC, section 7.3); `timestamp` is in milliseconds. */
export interface AgentCommandEnvelope<Type extends AgentCommandType, Payload> {
  readonly commandProtocol: typeof AGENT_COMMAND_PROTOCOL
  readonly commandProtocolVersion: typeof AGENT_COMMAND_PROTOCOL_VERSION
  readonly type: Type
  readonly commandId: string
  readonly idempotencyKey: string
  readonly sessionId: string
  readonly runId: string
  readonly timestamp: number
  readonly payload: Payload
  readonly meta?: AgentEventMeta | undefined
}

/** The command of one type. */
export type AgentCommandOf<Type extends AgentCommandType> = AgentCommandEnvelope<Type, AgentCommandPayloadMap[Type]>

/** A person's wish that the runtime may grant: it asks for a fact and never is one (RFC, section 7). */
export type AgentCommand = { [Type in AgentCommandType]: AgentCommandOf<Type> }[AgentCommandType]
