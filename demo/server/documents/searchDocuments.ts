import { getSearchTerms } from './getSearchTerms.ts'

/** A document that fits a search, best first, with the line that fits best. */
export interface DocumentMatch {
  id: string
  title: string
  excerpt: string
  score: number
}

interface SearchableDocument {
  id: string
  title: string
  content: string
}

/** Finds documents by the words of a query: rare words count more, and in the title twice; an empty query finds all. */
export function searchDocuments(documents: readonly SearchableDocument[], query: string): DocumentMatch[] {
  const terms = getSearchTerms(query)
  const read = documents.map((document) => ({
    document,
    inTitle: new Set(getSearchTerms(document.title)),
    inText: new Set(getSearchTerms(`${document.title}\n${document.content}`)),
  }))
  const weights = terms.map((term) => {
    const holders = read.filter(({ inText }) => inText.has(term)).length
    return { term, weight: Math.log(1 + documents.length / Math.max(holders, 1)) }
  })
  const found = read.map(({ document: { id, title, content }, inTitle, inText }) => {
    const score = weights.reduce(
      (sum, { term, weight }) => sum + (inText.has(term) ? weight : 0) + (inTitle.has(term) ? weight : 0),
      0,
    )
    return { id, title, excerpt: findBestLine(content, terms), score: Math.round(score * 100) / 100 }
  })
  const matches = terms.length === 0 ? found : found.filter((match) => match.score > 0)
  return matches.sort((one, other) => other.score - one.score || (one.title < other.title ? -1 : 1)).slice(0, 8)
}

function findBestLine(content: string, terms: readonly string[]): string {
  let best = ''
  let bestScore = -1
  for (const line of content.split('\n')) {
    const text = line.trim()
    if (text === '' || text.startsWith('#')) continue
    const words = new Set(getSearchTerms(text))
    const score = terms.filter((term) => words.has(term)).length
    if (score > bestScore) [best, bestScore] = [text, score]
  }
  return best.slice(0, 300)
}
