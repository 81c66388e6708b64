import './Markdown.css'
import { memo, useMemo } from 'react'
import { assertNever } from '../app/assertNever.ts'
import { parseMarkdown, type MarkdownBlock } from './parseMarkdown.ts'

/** A small part of Markdown, as elements: what a model writes never becomes markup. */
export function Markdown({ text }: { readonly text: string }) {
  const blocks = useMemo(() => parseMarkdown(text), [text])
  return (
    <div className="markdown">
      {blocks.map((block, index) => (
        // Text is only ever appended, so that a block's place is its name.
        // eslint-disable-next-line react/no-array-index-key
        <Block key={index} block={block} />
      ))}
    </div>
  )
}

const Block = memo(
  function Block({ block }: { readonly block: MarkdownBlock }) {
    switch (block.kind) {
      case 'paragraph':
        return <p>{renderInline(block.text)}</p>
      case 'heading':
        // No heading of the page's own outline: a message must not add to it.
        return <p className="markdown-heading">{renderInline(block.text)}</p>
      case 'quote':
        return <blockquote>{renderInline(block.text)}</blockquote>
      case 'code':
        return <pre>{block.text}</pre>
      case 'list': {
        const items = block.items.map((item, index) => (
          // eslint-disable-next-line react/no-array-index-key
          <li key={index}>{renderInline(item)}</li>
        ))
        return block.start === undefined ? <ul>{items}</ul> : <ol start={block.start}>{items}</ol>
      }
      default:
        return assertNever(block)
    }
  },
  (before, after) => before.block.source === after.block.source,
)

const marks = /(\*\*[^*\n]+\*\*|`[^`\n]+`)/

function renderInline(text: string) {
  return text.split(marks).map((part, index) => {
    if (index % 2 === 0) return part
    const key = `${index}:${part}`
    if (part.startsWith('`')) return <code key={key}>{part.slice(1, -1)}</code>
    return <strong key={key}>{part.slice(2, -2)}</strong>
  })
}
