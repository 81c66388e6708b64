import { settle } from '../settle.ts'
import type { EventHandlers } from '../eventWriter.ts'

type MessageEventType =
  'message.started' | 'message.delta' | 'message.completed' | 'message.failed' | 'message.cancelled'

export const messageHandlers: EventHandlers<MessageEventType> = {
  'message.started': (writer, event) => {
    const { messageId, role, content = '' } = event.payload
    return writer.add(event, 'message', { id: messageId, role, content: writer.append('', content), status: 'streaming' })
  },

  'message.delta': (writer, event) => {
    const message = writer.open(event, 'message', event.payload.messageId)
    if (!message) return false
    message.content = writer.append(message.content, event.payload.delta)
    return true
  },

  'message.completed': (writer, event) => {
    const { messageId, content } = event.payload
    const message = writer.open(event, 'message', messageId)
    if (!message) return false
    if (content !== undefined) message.content = writer.append('', content)
    return settle(message, { status: 'completed' })
  },

  'message.failed': (writer, event) => {
    const message = writer.open(event, 'message', event.payload.messageId)
    return message ? settle(message, { status: 'failed', error: event.payload.error }) : false
  },

  'message.cancelled': (writer, event) => {
    const message = writer.open(event, 'message', event.payload.messageId)
    return message ? settle(message, { status: 'cancelled', reason: event.payload.reason }) : false
  },
}
