import type { AgentMessageState } from '../../src/state/entities/agentMessageState.ts'
import { getOwn } from '../../src/state/ownRecord.ts'
import { MessageContent } from '../chat/MessageContent.tsx'
import type { AgentLocale } from '../locale/agentLocale.ts'
import { ErrorText } from '../view/ErrorText.tsx'
import type { ItemStatus } from '../view/itemStatus.ts'
import { StatusBadge } from '../view/StatusBadge.tsx'
import type { TimelineSlots } from './timelineView.ts'

/** A message, whoever speaks; a finished one needs no word about its status. */
export function MessageItem(props: {
  message: AgentMessageState
  status: ItemStatus
  locale: AgentLocale
  render: TimelineSlots['renderMessage']
}) {
  const { message, status, locale, render } = props
  const speaker = getOwn(locale.role, message.role) ?? message.role
  const isQuiet = status === 'completed' || message.role === 'user'
  return (
    <article className="agent-message" data-role={message.role} data-status={status} aria-label={speaker}>
      <div className="agent-message-header">
        <span className="agent-speaker">{speaker}</span>
        {!isQuiet && <StatusBadge status={status} locale={locale} />}
      </div>
      <div className="agent-message-content">
        {render ? render(message, { status }) : <MessageContent content={message.content} locale={locale} />}
      </div>
      <ErrorText error={message.error} reason={message.reason} locale={locale} />
    </article>
  )
}
