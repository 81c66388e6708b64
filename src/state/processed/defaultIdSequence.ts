const colon = 58
const zero = 48

/**
 * Reads the number that stands between two colons after `start` characters of an id, or -1: the sequence, where the
 * id is a default one. Asked of every event, hence by characters.
 */
export function defaultIdSequence(eventId: string, start: number): number {
  if (eventId.charCodeAt(start) !== colon) return -1
  let sequence = 0
  let index = start + 1
  let digit = eventId.charCodeAt(index) - zero
  while (digit >= 0 && digit <= 9) {
    sequence = sequence * 10 + digit
    index += 1
    digit = eventId.charCodeAt(index) - zero
  }
  return eventId.charCodeAt(index) === colon && index > start + 1 ? sequence : -1
}
