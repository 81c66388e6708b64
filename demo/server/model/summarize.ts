import { getFirstSentence } from './getFirstSentence.ts'
import { splitBlocks } from './splitBlocks.ts'

/** The first sentence of each section, named by its heading. */
export function summarize(content: string): string[] {
  const seen = new Set<string>()
  return splitBlocks(content).flatMap(({ heading, text }) => {
    if (seen.has(heading)) return []
    seen.add(heading)
    const sentence = getFirstSentence(text.split('\n')[0]!.replace(/^\s*(?:[-+*]|\d+\.) +(?:\[[ x]\] +)?/, ''))
    return [heading === '' ? sentence : `**${heading}**: ${sentence}`]
  })
}
