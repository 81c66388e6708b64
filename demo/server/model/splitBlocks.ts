interface Block {
  /** The headings that the block stands under. */
  heading: string
  text: string
  /** Where the text begins in the document. */
  start: number
}

/** Splits Markdown at empty lines and headings. */
export function splitBlocks(content: string): Block[] {
  const blocks: Block[] = []
  let heading = ''
  let lines: string[] = []
  let start = 0
  let at = 0
  const close = () => {
    if (lines.length > 0) blocks.push({ heading, text: lines.join('\n'), start })
    lines = []
  }
  for (const line of content.split('\n')) {
    const title = /^#+ +(.*)$/.exec(line)?.[1]
    if (lines.length === 0) start = at
    if (title === undefined && line.trim() !== '') lines.push(line)
    else close()
    if (title !== undefined) heading = title
    at += line.length + 1
  }
  close()
  return blocks
}
