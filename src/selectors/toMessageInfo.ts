import { getAgentEntityKey } from '../protocol/getAgentEntityKey.ts'
import type { AgentMessageState } from '../state/entities/agentMessageState.ts'
import type { MessageInfo, MessageStatus } from './messageInfo.ts'
import { stateMessageInfos } from './stateMessageInfos.ts'

/** Gives the one MessageInfo of a message and a status, so that a row renders only when its message changes. */
export function toMessageInfo(message: AgentMessageState, status: MessageStatus): MessageInfo {
  const ofMessage = stateMessageInfos.get(message) ?? {}
  if (!stateMessageInfos.has(message)) stateMessageInfos.set(message, ofMessage)
  return (ofMessage[status] ??= { id: getAgentEntityKey(message.runId, message.id), message, status })
}
