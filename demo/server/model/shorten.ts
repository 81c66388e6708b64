import { getFirstSentence } from './getFirstSentence.ts'

/** Keeps headings, the first sentence of each paragraph and the first three items of each list. */
export function shorten(content: string): string {
  const parts = content.split(/\n{2,}/).map((block) => {
    const lines = block.split('\n')
    if (block.startsWith('#') && lines.length === 1) return block
    if (lines.every((line) => /^\s*(?:[-+*]|\d+\.) /.test(line))) return lines.slice(0, 3).join('\n')
    return getFirstSentence(block)
  })
  return `${parts.join('\n\n').trim()}\n`
}
