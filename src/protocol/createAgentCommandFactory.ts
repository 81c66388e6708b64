import type { AgentCommandOf, AgentCommandPayloadMap, AgentCommandType } from './agentCommand.ts'
import { AGENT_COMMAND_PROTOCOL, AGENT_COMMAND_PROTOCOL_VERSION } from './agentCommandProtocol.ts'
import type { AgentEventMeta } from './agentEvent.ts'
import { createUuid } from './createUuid.ts'

/** Where the commands belong, and how their clock and ids are made. */
export interface AgentCommandFactoryOptions {
  sessionId: string
  runId: string
  /** The clock, in milliseconds; `Date.now` by default. */
  now?: (() => number) | undefined
  createCommandId?: ((type: AgentCommandType) => string) | undefined
  createIdempotencyKey?: ((commandId: string, type: AgentCommandType) => string) | undefined
}

/** What may be stated of a single command instead of the factory; a resend states both ids of the first sending. */
export interface AgentCommandCreateOptions {
  commandId?: string | undefined
  idempotencyKey?: string | undefined
  timestamp?: number | undefined
  meta?: AgentEventMeta | undefined
}

/** Makes the commands of one run. */
export interface AgentCommandFactory {
  create<Type extends AgentCommandType>(
    type: Type,
    payload: AgentCommandPayloadMap[Type],
    options?: AgentCommandCreateOptions,
  ): AgentCommandOf<Type>
}

/**
 * Makes a factory of a run's commands. The default command id holds a UUID, so that it is unique across reloads and
 * tabs; the default idempotency key is bound to it and differs from it (RFC, section 7.4).
 *
 * @example
 * const commands = createAgentCommandFactory({ sessionId: 's1', runId: 'r1' })
 * commands.create('approval.resolve', { approvalId: 'a1', decision: 'approved' })
 */
export function createAgentCommandFactory(options: AgentCommandFactoryOptions): AgentCommandFactory {
  const { sessionId, runId, now = Date.now } = options
  const createCommandId = options.createCommandId ?? (() => `${runId}:command:${createUuid()}`)
  const createIdempotencyKey = options.createIdempotencyKey ?? ((commandId) => `${commandId}:key`)
  return {
    create(type, payload, stated = {}) {
      const commandId = stated.commandId ?? createCommandId(type)
      return {
        commandProtocol: AGENT_COMMAND_PROTOCOL,
        commandProtocolVersion: AGENT_COMMAND_PROTOCOL_VERSION,
        type,
        commandId,
        idempotencyKey: stated.idempotencyKey ?? createIdempotencyKey(commandId, type),
        sessionId,
        runId,
        timestamp: stated.timestamp ?? now(),
        payload,
        ...(stated.meta !== undefined && { meta: stated.meta }),
      }
    },
  }
}
