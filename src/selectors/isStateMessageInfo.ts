import type { MessageInfo } from './messageInfo.ts'
import { stateMessageInfos } from './stateMessageInfos.ts'

/** Says whether an info is just as the state has it, however old; an edited copy is not. */
export function isStateMessageInfo(info: MessageInfo<object>): boolean {
  return stateMessageInfos.get(info.message)?.[info.status] === info
}
