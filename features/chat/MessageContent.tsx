import type { AgentContentPart, AgentMessageContent } from '../../src/protocol/agentMessageContent.ts'
import type { AgentLocale } from '../locale/agentLocale.ts'
import { LongText } from '../view/LongText.tsx'

const textLimit = 100_000

/**
 * Shows a message's content as plain text and parts; an app that wants Markdown renders it itself.
 *
 * @example
 * <MessageContent content={message.content} locale={enUS} />
 */
export function MessageContent({ content, locale }: { content: AgentMessageContent; locale: AgentLocale }) {
  if (typeof content === 'string') return <LongText text={content} locale={locale} limit={textLimit} />
  return (
    <>
      {content.map((part, index) => (
        // Parts are only ever appended, so that their place is their name.
        // eslint-disable-next-line react/no-array-index-key
        <MessagePart key={index} part={part} locale={locale} />
      ))}
    </>
  )
}

function MessagePart({ part, locale }: { part: AgentContentPart; locale: AgentLocale }) {
  if (isText(part)) return <LongText text={part.text} locale={locale} limit={textLimit} />
  const label = locale.attachment(nameOf(part))
  const url = 'url' in part ? part.url : undefined
  if (part.type === 'image' && url !== undefined && /^(data:image\/|blob:)/i.test(url)) {
    return <img className="agent-image" src={url} alt={label} />
  }
  // An address from outside is followed when a person asks for it, never by itself: loading it would tell its host.
  if (url !== undefined && /^https?:\/\//i.test(url)) {
    return (
      <a className="agent-attachment" href={url} target="_blank" rel="noopener noreferrer">
        {label}
      </a>
    )
  }
  return <span className="agent-attachment">{label}</span>
}

function isText(part: AgentContentPart): part is Extract<AgentContentPart, { type: 'text' }> {
  return part.type === 'text'
}

function nameOf(part: AgentContentPart): string {
  if ('name' in part && part.name !== undefined) return part.name
  if ('mediaType' in part && part.mediaType !== undefined) return part.mediaType
  return part.type
}
