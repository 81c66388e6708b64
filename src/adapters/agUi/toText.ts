import { isRecord } from '../../protocol/predicates.ts'

/** Gives the text of a message's content: itself, or its text parts one after the other. */
export function toText(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content
    .map((part: unknown) => (isRecord(part) && part.type === 'text' && typeof part.text === 'string' ? part.text : ''))
    .join('')
}
