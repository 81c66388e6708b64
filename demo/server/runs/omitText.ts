import { hashContent } from '../documents/hashContent.ts'
import type { OmittedText } from './agentRunCheckpoint.ts'

/** Gives of a text only what tells it apart. */
export function omitText(text: string): OmittedText {
  return { length: text.length, contentHash: hashContent(text) }
}
