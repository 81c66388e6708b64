/** What a section of a document says that is the same in every language. */
export interface DocumentSection {
  /** Its heading's level, its tables' rows by how many cells they have, and its lists' items, in order. */
  readonly outline: readonly (string | number)[]
  /** What its words name, in no order, as sentences are put differently. */
  readonly facts: DocumentFacts
}

interface DocumentFacts {
  /** The numbers outside code; `1,000` is `1000`. */
  readonly figures: readonly string[]
  /** What stands between backticks. */
  readonly code: readonly string[]
  /** Where its links lead, the language and the heading apart. */
  readonly links: readonly string[]
}

/** The text of a document without its blocks of code. */
export const readProse = (markdown: string): string => markdown.replaceAll(/^(`{3,}).*?^\1[ \t]*$/gms, '')

/** Reads the sections of a document, from one heading to the next. */
export const readSections = (markdown: string): readonly DocumentSection[] =>
  readProse(markdown)
    .split(/^(?=#{1,6} )/m)
    .map((section) => {
      const words = section.replaceAll(/`[^`]+`/g, '').replaceAll(/\]\([^)]*\)/g, ']')
      return {
        outline: [...section.matchAll(/^(?:(#{1,6}) |(\|.*\|)$|\s*(-|\d+\.) )/gm)].map(
          ([, level, row, item]) => level ?? item ?? row!.split('|').length,
        ),
        facts: {
          figures: [...words.matchAll(/\d+(?:[.,]\d+)*/g)].map(([figure]) => figure.replaceAll(',', '')).sort(),
          code: [...section.matchAll(/`([^`]+)`/g)].map(([, code]) => code!.replaceAll(/\s+/g, ' ')).sort(),
          links: [...section.matchAll(/\]\(([^)\s#]*)[^)]*\)/g)]
            .map(([, path]) => path!.replace('-zh_CN.md', '.md'))
            .sort(),
        },
      }
    })
