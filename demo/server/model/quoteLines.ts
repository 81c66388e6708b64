import { getSearchTerms } from '../documents/getSearchTerms.ts'
import { splitBlocks } from './splitBlocks.ts'

/** The lines that answer a question best, word for word; none where no word of it occurs. */
export function quoteLines(content: string, question: string): string[] {
  const terms = getSearchTerms(question)
  const scored = splitBlocks(content).flatMap(({ heading, text }) => {
    const underHeading = new Set(getSearchTerms(heading))
    return text.split('\n').map((line) => {
      const words = new Set(getSearchTerms(line))
      const count = (found: ReadonlySet<string>) => terms.filter((term) => found.has(term)).length
      const score = count(words) + count(underHeading)
      return { line: line.trim(), score }
    })
  })
  const best = Math.max(0, ...scored.map(({ score }) => score))
  if (best === 0) return []
  return scored.filter(({ score }) => score === best).map(({ line }) => line).slice(0, 4)
}
