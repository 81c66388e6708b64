import { settle } from '../settle.ts'
import type { EventHandlers } from '../eventWriter.ts'
import { omitUndefined } from '../omitUndefined.ts'

type TaskEventType = 'task.created' | 'task.updated' | 'task.completed' | 'task.failed' | 'task.cancelled'

export const taskHandlers: EventHandlers<TaskEventType> = {
  'task.created': (writer, event) => {
    const { taskId, title, description } = event.payload
    return writer.add(event, 'task', { id: taskId, title, status: 'pending', ...omitUndefined({ description }) })
  },

  'task.updated': (writer, event) => {
    const { taskId, title, description, progress } = event.payload
    const task = writer.open(event, 'task', taskId)
    if (!task) return false
    Object.assign(task, omitUndefined({ title, description, progress }))
    return settle(task, { status: 'running' })
  },

  'task.completed': (writer, event) => {
    const task = writer.open(event, 'task', event.payload.taskId)
    if (!task) return false
    if (event.payload.result !== undefined) task.result = event.payload.result
    return settle(task, { status: 'completed' })
  },

  'task.failed': (writer, event) => {
    const task = writer.open(event, 'task', event.payload.taskId)
    return task ? settle(task, { status: 'failed', error: event.payload.error }) : false
  },

  'task.cancelled': (writer, event) => {
    const task = writer.open(event, 'task', event.payload.taskId)
    return task ? settle(task, { status: 'cancelled', reason: event.payload.reason }) : false
  },
}
