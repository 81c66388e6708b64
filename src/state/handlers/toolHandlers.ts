import { appendText } from '../appendText.ts'
import { settle } from '../settle.ts'
import type { EventHandlers } from '../eventWriter.ts'

type ToolEventType =
  | 'tool.requested'
  | 'tool.arguments_delta'
  | 'tool.running'
  | 'tool.completed'
  | 'tool.failed'
  | 'tool.cancelled'

export const toolHandlers: EventHandlers<ToolEventType> = {
  'tool.requested': (writer, event) => {
    const { toolCallId, name, arguments: text = '', index, attempt = 1, retryOf } = event.payload
    return writer.add(event, 'tool', {
      id: toolCallId,
      name,
      arguments: text,
      attempt,
      status: 'pending',
      ...(index !== undefined && { index }),
      ...(retryOf !== undefined && { retryOf }),
    })
  },

  'tool.arguments_delta': (writer, event) => {
    const tool = writer.open(event, 'tool', event.payload.toolCallId)
    if (!tool) return false
    tool.arguments = appendText(tool.arguments, event.payload.delta)
    return true
  },

  'tool.running': (writer, event) => {
    const tool = writer.open(event, 'tool', event.payload.toolCallId)
    return tool ? settle(tool, { status: 'running' }) : false
  },

  'tool.completed': (writer, event) => {
    const tool = writer.open(event, 'tool', event.payload.toolCallId)
    if (!tool) return false
    if (event.payload.result !== undefined) tool.result = event.payload.result
    return settle(tool, { status: 'completed' })
  },

  'tool.failed': (writer, event) => {
    const tool = writer.open(event, 'tool', event.payload.toolCallId)
    return tool ? settle(tool, { status: 'failed', error: event.payload.error }) : false
  },

  'tool.cancelled': (writer, event) => {
    const tool = writer.open(event, 'tool', event.payload.toolCallId)
    return tool ? settle(tool, { status: 'cancelled', reason: event.payload.reason }) : false
  },
}
