import type { AgentHistoryMessage } from '../../src/readModel/agentHistoryMessage.ts'
import { getMessageStatus } from '../../src/selectors/getMessageStatus.ts'
import type { MessageInfo } from '../../src/selectors/messageInfo.ts'
import { toMessageInfo } from '../../src/selectors/toMessageInfo.ts'
import { toHistoryEntity } from './toHistoryEntity.ts'

/** Makes of a read model's messages what a chat shows; the same objects for the same messages. */
export function toHistoryMessages(history: readonly AgentHistoryMessage[]): readonly MessageInfo[] {
  return history.map((message) => {
    const entity = toHistoryEntity(message)
    return toMessageInfo(entity, getMessageStatus(entity, undefined))
  })
}
