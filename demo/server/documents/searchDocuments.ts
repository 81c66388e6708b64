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

const stopWords = new Set(
  ('a an and are as at be by do does for from has have how i in is it its me my of on or our say tell that the their ' +
    'there these this to us was we what when where which who why will with you your about please can much many known ' +
    'any all more get').split(' '),
)

/** Splits a text into what it can be found by: words in their stem, and pairs of Chinese characters. */
export function getSearchTerms(text: string): string[] {
  const terms: string[] = []
  for (const [word] of text.toLowerCase().matchAll(/[\p{Script=Latin}\d]+|\p{Script=Han}+/gu)) {
    if (/\p{Script=Han}/u.test(word)) {
      const characters = Array.from(word)
      if (characters.length === 1) terms.push(word)
      for (let index = 0; index + 1 < characters.length; index += 1) {
        terms.push(`${characters[index]}${characters[index + 1]}`)
      }
    } else if (!stopWords.has(word)) {
      terms.push(stem(word))
    }
  }
  return [...new Set(terms)]
}

// Enough that "refunds" finds "refund" and "travelling" finds "travel".
function stem(word: string): string {
  if (word.length <= 4) return word.replace(/(?<=..)s$/, '')
  return word.replace(/ies$/, 'y').replace(/(?:ing|ed|es|s)$/, '').replace(/([^aeiou])\1$/, '$1')
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
