import { getSearchTerms } from '../documents/searchDocuments.ts'

interface Block {
  /** The headings that the block stands under. */
  heading: string
  text: string
}

/** Splits Markdown at empty lines and headings. */
export function splitBlocks(content: string): Block[] {
  const blocks: Block[] = []
  let heading = ''
  let lines: string[] = []
  const close = () => {
    if (lines.length > 0) blocks.push({ heading, text: lines.join('\n') })
    lines = []
  }
  for (const line of content.split('\n')) {
    const title = /^#+ +(.*)$/.exec(line)?.[1]
    if (title === undefined && line.trim() !== '') lines.push(line)
    else close()
    if (title !== undefined) heading = title
  }
  close()
  return blocks
}

/** The lines that answer a question best, word for word; none where no word of it occurs. */
export function quoteLines(content: string, question: string): string[] {
  const terms = getSearchTerms(question)
  const scored = splitBlocks(content).flatMap(({ heading, text }) => {
    const underHeading = new Set(getSearchTerms(heading))
    return text.split('\n').map((line) => {
      const words = new Set(getSearchTerms(line))
      const score = terms.filter((term) => words.has(term)).length + terms.filter((term) => underHeading.has(term)).length
      return { line: line.trim(), score }
    })
  })
  const best = Math.max(0, ...scored.map(({ score }) => score))
  if (best === 0) return []
  return scored.filter(({ score }) => score === best).map(({ line }) => line).slice(0, 4)
}

/** The first sentence of each section, named by its heading. */
export function summarize(content: string): string[] {
  const seen = new Set<string>()
  return splitBlocks(content).flatMap(({ heading, text }) => {
    if (seen.has(heading)) return []
    seen.add(heading)
    const sentence = firstSentence(text.split('\n')[0]!.replace(/^\s*(?:[-+*]|\d+\.) +(?:\[[ x]\] +)?/, ''))
    return [heading === '' ? sentence : `**${heading}**: ${sentence}`]
  })
}

/** Keeps headings, the first sentence of each paragraph and the first three items of each list. */
export function shorten(content: string): string {
  const parts = content.split(/\n{2,}/).map((block) => {
    const lines = block.split('\n')
    if (/^#/.test(block) && lines.length === 1) return block
    if (lines.every((line) => /^\s*(?:[-+*]|\d+\.) /.test(line))) return lines.slice(0, 3).join('\n')
    return firstSentence(block)
  })
  return `${parts.join('\n\n').trim()}\n`
}

function firstSentence(text: string): string {
  return /^[\s\S]*?(?:[.!?](?=\s|$)|[。！？])/.exec(text)?.[0] ?? text
}
