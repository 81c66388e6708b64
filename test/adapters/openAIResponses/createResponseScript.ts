type Fields = Record<string, unknown>

/** The same events without their numbers, as some services send them. */
export const withoutNumbers = (chunks: readonly Fields[]) =>
  chunks.map((chunk) => ({ ...chunk, sequence_number: undefined }))

/** Writes the events of one response as the wire has them, numbered, with its queue before it. */
export function createResponseScript(options: { id?: string } = {}) {
  const { id = 'resp_1' } = options
  const chunks: Fields[] = []
  const output: Fields[] = []
  let index = -1
  const send = (event: Fields) => void chunks.push({ ...event, sequence_number: chunks.length })
  const response = (status: string, fields: Fields = {}) => ({ id, object: 'response', status, output: [], ...fields })

  function begin(item: Fields) {
    index += 1
    send({ type: 'response.output_item.added', output_index: index, item })
  }
  function done(item: Fields) {
    // An item that was not begun is one of its own.
    if (output.length > index) index += 1
    output.push(item)
    send({ type: 'response.output_item.done', output_index: index, item })
  }
  function end(type: 'completed' | 'incomplete' | 'failed' | 'cancelled', fields: Fields = {}) {
    send({ type: `response.${type}`, response: response(type, { output, ...fields }) })
    return chunks
  }

  send({ type: 'response.created', response: response('queued') })
  send({ type: 'response.queued', response: response('queued') })
  send({ type: 'response.in_progress', response: response('in_progress') })
  return {
    send,
    begin,
    done,
    end,
    complete: (fields?: Fields) => end('completed', fields),
    message(text: string, size = text.length, part: Fields = {}) {
      const message = { type: 'message', id: `msg_${index + 1}`, role: 'assistant', status: 'completed' }
      begin({ ...message, status: 'in_progress', content: [] })
      const at = { item_id: message.id, output_index: index, content_index: 0 }
      send({ type: 'response.content_part.added', ...at, part: { type: 'output_text', text: '', annotations: [] } })
      for (let from = 0; from < text.length; from += size) {
        send({ type: 'response.output_text.delta', ...at, delta: text.slice(from, from + size) })
      }
      const content = { type: 'output_text', text, annotations: [], ...part }
      send({ type: 'response.output_text.done', ...at, text })
      send({ type: 'response.content_part.done', ...at, part: content })
      done({ ...message, content: [content] })
    },
  }
}
