import type { MessageEdits } from './messageEdits.ts'
import { noEdits } from './noEdits.ts'

/** Gives the edits under which one message is not shown. */
export function dropMessage(edits: MessageEdits = noEdits, id: string): MessageEdits {
  return {
    ...edits,
    order: edits.order.filter((entry) => entry !== id),
    removed: new Set(edits.removed).add(id),
  }
}
