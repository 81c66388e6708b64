import { getAgentEntityKey } from '../protocol/getAgentEntityKey.ts'
import type { AgentMessageState } from '../state/entities/agentMessageState.ts'
import type { MessageInfo, MessageStatus } from './messageInfo.ts'

const infos = new WeakMap<object, Partial<Record<MessageStatus, MessageInfo>>>()

/** Gives the one MessageInfo of a message and a status, so that a row renders only when its message changes. */
export function toMessageInfo(message: AgentMessageState, status: MessageStatus): MessageInfo {
  const ofMessage = infos.get(message) ?? {}
  if (!infos.has(message)) infos.set(message, ofMessage)
  return (ofMessage[status] ??= { id: getAgentEntityKey(message.runId, message.id), message, status })
}

/** Says whether an info is just as the state has it, however old; an edited copy is not. */
export function isStateMessageInfo(info: MessageInfo<object>): boolean {
  return infos.get(info.message)?.[info.status] === info
}

/** Says whether a message is a state's own object. */
export function isStateMessage(message: object): boolean {
  return infos.has(message)
}
