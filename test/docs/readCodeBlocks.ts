export interface CodeBlock {
  /** The document, relative to the repository. */
  readonly document: string
  readonly language: string
  /** The line of the block's first line, from 1. */
  readonly line: number
  readonly code: string
}

/** The fenced code blocks of a Markdown text, in order. */
export const readCodeBlocks = (document: string, markdown: string): readonly CodeBlock[] =>
  [...markdown.matchAll(/^(?<fence>`{3,})(?<language>[^\n`]*)\n(?<code>.*?)^\k<fence>[ \t]*$/gms)].map((match) => {
    const { language = '', code = '' } = match.groups ?? {}
    return {
      document,
      language: language.trim().split(/\s/)[0] ?? '',
      line: markdown.slice(0, match.index).split('\n').length + 1,
      code,
    }
  })
