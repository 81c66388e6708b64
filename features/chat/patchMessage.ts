import type { ChatMessagePatch, MessageEdits } from './messageEdits.ts'
import { noEdits } from './noEdits.ts'

/** Gives the edits with a change to one message. */
export function patchMessage(edits: MessageEdits = noEdits, id: string, change: ChatMessagePatch): MessageEdits {
  return { ...edits, patches: new Map(edits.patches).set(id, { ...edits.patches.get(id), ...change }) }
}
