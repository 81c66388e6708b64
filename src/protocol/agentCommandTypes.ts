import { agentCommandPayloads, type AgentCommandType } from './agentCommand.ts'

/** The three commands of AgentCommand 0.1. */
export const agentCommandTypes: readonly AgentCommandType[] = Object.freeze(
  Object.keys(agentCommandPayloads) as AgentCommandType[],
)
