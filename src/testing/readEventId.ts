/** The id of what may be an event. */
export function readEventId(event: unknown): string | undefined {
  try {
    const { eventId } = event as { eventId?: unknown }
    return typeof eventId === 'string' ? eventId : undefined
  } catch {
    // What is no object, or throws when it is read, has none.
    return undefined
  }
}
