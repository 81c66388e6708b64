import { hashBody } from './hashBody.ts'
import { toText } from './toText.ts'
import type { StartRequest } from './startRequestSchema.ts'

/** A start, and whose it is. */
export interface Start {
  ownerId: string
  runId: string
  request: StartRequest
}

/**
 * Says under which key a start is remembered, and by which hash it is known again: what the person said and where. How
 * it is to be answered may be told in other words when it is sent again.
 */
export function identifyStart({ runId, request: { conversationId, messages } }: Start): { key: string; bodyHash: string } {
  // A command of the same person that had such a key would be refused, and nothing more.
  return { key: `start\u001f${runId}`, bodyHash: hashBody({ conversationId, text: toText(messages[0].content) }) }
}
