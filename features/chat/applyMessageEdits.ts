import type { ChatMessageInfo, ChatMessagePatch, MessageEdits } from './messageEdits.ts'

const patched = new WeakMap<ChatMessagePatch, WeakMap<ChatMessageInfo, ChatMessageInfo>>()

/** Gives the one patched copy of a message, so that its row renders only when the message or the patch changes. */
function patch(info: ChatMessageInfo, change: ChatMessagePatch | undefined): ChatMessageInfo {
  if (!change) return info
  const copies = patched.get(change) ?? new WeakMap<ChatMessageInfo, ChatMessageInfo>()
  patched.set(change, copies)
  const copy = copies.get(info) ?? { ...info, ...change }
  copies.set(info, copy)
  return copy
}

/**
 * Lays a component's edits over the state's messages: what was arranged comes first, in its order, and what the run
 * brought since then follows. Messages without an edit keep their references.
 *
 * @example
 * const shown = applyMessageEdits(messages, edits)
 */
export function applyMessageEdits(
  messages: readonly ChatMessageInfo[],
  edits: MessageEdits | undefined,
): readonly ChatMessageInfo[] {
  if (!edits) return messages
  const byId = new Map(messages.map((info) => [info.id, info]))
  const arranged = new Set(edits.order)
  const shown: ChatMessageInfo[] = []
  for (const id of edits.order) {
    const info = byId.get(id)
    if (info) shown.push(patch(info, edits.patches.get(id)))
    else if (edits.added.has(id)) shown.push(patch(edits.added.get(id)!, edits.patches.get(id)))
  }
  for (const info of messages) {
    if (!arranged.has(info.id) && !edits.removed.has(info.id)) shown.push(patch(info, edits.patches.get(info.id)))
  }
  return shown
}
