import type { AgentContentPart, AgentMessageContent } from '../../protocol/agentMessageContent.ts'

/** The text of a message, whatever else it holds. */
export function readMessageText(content: AgentMessageContent): string {
  if (typeof content === 'string') return content
  const isText = (part: AgentContentPart): part is Extract<AgentContentPart, { type: 'text' }> => part.type === 'text'
  return content
    .filter(isText)
    .map(({ text }) => text)
    .join('')
}
