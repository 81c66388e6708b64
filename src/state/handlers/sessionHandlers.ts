import type { EventHandlers } from '../eventWriter.ts'

export const sessionHandlers: EventHandlers<'session.started'> = {
  'session.started': (writer, event) => writer.addSession(event, event.payload),
}
