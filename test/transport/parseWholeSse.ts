import type { SseMessage } from 'redux-agent'

/** Reads a whole event stream as the WHATWG standard words it: what a parser of pieces is held against. */
export function parseWholeSse(bytes: Uint8Array): { messages: SseMessage[]; retry: number | undefined } {
  const lines = new TextDecoder().decode(bytes).split(/\r\n|\r|\n/)
  const messages: SseMessage[] = []
  let retry: number | undefined
  let lastEventId = ''
  let idBuffer = ''
  let data = ''
  let event = ''
  // The last piece has no line end, so it is no line.
  for (const line of lines.slice(0, -1)) {
    if (line === '') {
      lastEventId = idBuffer
      if (data !== '') messages.push({ event: event || 'message', data: data.slice(0, -1), id: lastEventId })
      data = ''
      event = ''
      continue
    }
    const colon = line.indexOf(':')
    const field = colon === -1 ? line : line.slice(0, colon)
    const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '')
    if (field === 'data') data += `${value}\n`
    else if (field === 'event') event = value
    else if (field === 'id' && !value.includes('\0')) idBuffer = value
    else if (field === 'retry' && /^\d+$/.test(value)) retry = Number(value)
  }
  return { messages, retry }
}
