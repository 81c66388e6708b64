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
