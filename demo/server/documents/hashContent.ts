import { createHash } from 'node:crypto'

/** Tells whether a text has changed without keeping it. */
export function hashContent(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
