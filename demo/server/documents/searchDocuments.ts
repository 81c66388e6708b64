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
    'there these this to us was we what when where which who why will with you your about please can').split(' '),
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

/** Finds documents by the words of a query: a word in the title counts five times; an empty query finds all. */
export function searchDocuments(documents: readonly SearchableDocument[], query: string): DocumentMatch[] {
  const terms = getSearchTerms(query)
  const found = documents.map(({ id, title, content }) => {
    const titleTerms = new Set(getSearchTerms(title))
    const contentTerms = new Set(getSearchTerms(content))
    let score = 0
    for (const term of terms) score += (titleTerms.has(term) ? 5 : 0) + (contentTerms.has(term) ? 1 : 0)
    return { id, title, excerpt: findBestLine(content, terms), score }
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
