import type { EventHandlers } from '../eventWriter.ts'

export const runHandlers: EventHandlers<'run.started' | 'run.completed' | 'run.failed' | 'run.cancelled'> = {
  'run.started': (writer, event) => writer.addRun(event, event.payload),

  'run.completed': (writer, event) => {
    const { output, usage } = event.payload
    return writer.endRun(event, { status: 'completed', output, usage })
  },

  'run.failed': (writer, event) => writer.endRun(event, { status: 'failed', error: event.payload.error }),

  'run.cancelled': (writer, event) => writer.endRun(event, { status: 'cancelled', reason: event.payload.reason }),
}
