import { isStateMessage } from '../../src/selectors/isStateMessage.ts'
import { isStateMessageInfo } from '../../src/selectors/isStateMessageInfo.ts'
import type { ChatMessageInfo, ChatMessagePatch, MessageEdits } from './messageEdits.ts'

/**
 * Gives the edits under which `next` is what is shown. A message that is as the state has it, even as it had it some
 * deltas ago, is no edit: it goes on streaming.
 */
export function arrangeMessages(messages: readonly ChatMessageInfo[], next: readonly ChatMessageInfo[]): MessageEdits {
  const byId = new Map(messages.map((info) => [info.id, info]))
  const patches = new Map<string, ChatMessagePatch>()
  const added = new Map<string, ChatMessageInfo>()
  for (const info of next) {
    const known = byId.get(info.id)
    if (!known) added.set(info.id, info)
    else if (info !== known && !isStateMessageInfo(info)) {
      const change = differenceOf(known, info)
      if (Object.keys(change).length > 0) patches.set(info.id, change)
    }
  }
  const order = [...new Set(next.map((info) => info.id))]
  const kept = new Set(order)
  return { order, patches, added, removed: new Set([...byId.keys()].filter((id) => !kept.has(id))) }
}

function differenceOf(known: ChatMessageInfo, info: ChatMessageInfo): ChatMessagePatch {
  const { message, status } = info
  return {
    ...(message !== known.message && !isStateMessage(message) && { message }),
    ...(status !== known.status && { status }),
  }
}
