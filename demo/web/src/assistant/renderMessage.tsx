import type { AgentMessageState } from 'redux-agent'
import { MessageContent } from 'redux-agent/react'
import { assistantLocale } from './assistantLocale.ts'
import { Markdown } from './Markdown.tsx'

// Beyond this a text is shown as it is: it is then no letter to a person any more.
const maxMarkdown = 50_000

/** Shows what the assistant says as Markdown, and what a person says as they wrote it. */
export function renderMessage({ role, content }: AgentMessageState) {
  const isMarkdown = role === 'assistant' && typeof content === 'string' && content.length <= maxMarkdown
  return isMarkdown ? <Markdown text={content} /> : <MessageContent content={content} locale={assistantLocale} />
}
