/** A block of Markdown; `source` is its text as it was written, by which it is known again while more streams in. */
export type MarkdownBlock = { readonly source: string } & (
  | { readonly kind: 'paragraph' | 'heading' | 'quote' | 'code'; readonly text: string }
  | { readonly kind: 'list'; readonly start: number | undefined; readonly items: readonly string[] }
)

const fence = /^```/
const heading = /^#{1,6} +/
const quote = /^> ?/
const item = /^\s*(?:[-*+]|(\d{1,9})\.) +/

type Kind = MarkdownBlock['kind'] | 'blank'

/** Cuts text into blocks: headings, lists, quotes, fenced code, paragraphs. What is still open runs to the end. */
export function parseMarkdown(text: string): MarkdownBlock[] {
  const blocks: MarkdownBlock[] = []
  const lines = text.split('\n')
  let index = 0
  while (index < lines.length) {
    const start = index
    const kind = kindOf(lines[index]!)
    index += 1
    if (kind === 'code') {
      while (index < lines.length && !fence.test(lines[index]!)) index += 1
      index += 1
    } else if (kind !== 'heading') {
      while (index < lines.length && kindOf(lines[index]!) === kind) index += 1
    }
    if (kind !== 'blank') blocks.push(createBlock(kind, lines.slice(start, index)))
  }
  return blocks
}

function kindOf(line: string): Kind {
  if (line.trim() === '') return 'blank'
  if (fence.test(line)) return 'code'
  if (heading.test(line)) return 'heading'
  if (quote.test(line)) return 'quote'
  return item.test(line) ? 'list' : 'paragraph'
}

function createBlock(kind: MarkdownBlock['kind'], lines: readonly string[]): MarkdownBlock {
  const source = lines.join('\n')
  switch (kind) {
    case 'list': {
      const number = item.exec(lines[0]!)?.[1]
      const start = number === undefined ? undefined : Number(number)
      return { kind, source, start, items: lines.map((line) => line.replace(item, '')) }
    }
    case 'code':
      return { kind, source, text: lines.slice(1, isClosed(lines) ? -1 : undefined).join('\n') }
    case 'heading':
      return { kind, source, text: source.replace(heading, '') }
    case 'quote':
      return { kind, source, text: lines.map((line) => line.replace(quote, '')).join('\n') }
    default:
      return { kind, source, text: source }
  }
}

/** The last line of fenced code closes it, unless it still streams in. */
const isClosed = (lines: readonly string[]) => lines.length > 1 && fence.test(lines.at(-1)!)
