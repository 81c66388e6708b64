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
