import { appendText } from '../appendText.ts'
import { settle } from '../settle.ts'
import type { EventHandlers } from '../eventWriter.ts'

type ReasoningEventType =
  'reasoning.started' | 'reasoning.delta' | 'reasoning.completed' | 'reasoning.failed' | 'reasoning.cancelled'

export const reasoningHandlers: EventHandlers<ReasoningEventType> = {
  'reasoning.started': (writer, event) => {
    const { reasoningId, redacted = false } = event.payload
    return writer.add(event, 'reasoning', { id: reasoningId, content: '', redacted, status: 'streaming' })
  },

  'reasoning.delta': (writer, event) => {
    const reasoning = writer.open(event, 'reasoning', event.payload.reasoningId)
    if (!reasoning) return false
    reasoning.content = appendText(reasoning.content, event.payload.delta)
    return true
  },

  'reasoning.completed': (writer, event) => {
    const { reasoningId, content, summary } = event.payload
    const reasoning = writer.open(event, 'reasoning', reasoningId)
    if (!reasoning) return false
    if (content !== undefined) reasoning.content = content
    if (summary !== undefined) reasoning.summary = summary
    return settle(reasoning, { status: 'completed' })
  },

  'reasoning.failed': (writer, event) => {
    const reasoning = writer.open(event, 'reasoning', event.payload.reasoningId)
    return reasoning ? settle(reasoning, { status: 'failed', error: event.payload.error }) : false
  },

  'reasoning.cancelled': (writer, event) => {
    const reasoning = writer.open(event, 'reasoning', event.payload.reasoningId)
    return reasoning ? settle(reasoning, { status: 'cancelled', reason: event.payload.reason }) : false
  },
}
