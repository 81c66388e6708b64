/** The id of what may be an event. */
export function readEventId(event: unknown): string | undefined {
  if (typeof event !== 'object' || event === null || !('eventId' in event)) return undefined
  return typeof event.eventId === 'string' ? event.eventId : undefined
}
