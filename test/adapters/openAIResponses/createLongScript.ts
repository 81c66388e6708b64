import { createResponseScript } from './createResponseScript.ts'

/** A response that has something of everything, some of it side by side. */
export function createLongScript(id = 'resp_1') {
  const script = createResponseScript({ id })
  const reasoning = { type: 'reasoning', id: 'rs', summary: [{ type: 'summary_text', text: 'Hm, so.' }] }
  script.begin({ ...reasoning, summary: [] })
  const at = { item_id: 'rs', output_index: 0, summary_index: 0 }
  script.send({ type: 'response.reasoning_summary_part.added', ...at, part: { type: 'summary_text', text: '' } })
  for (const delta of ['Hm,', ' so.']) {
    script.send({ type: 'response.reasoning_summary_text.delta', ...at, delta })
  }
  script.done(reasoning)
  script.message('See 世界 😀 here', 5, { annotations: [{ type: 'url_citation', url: 'u' }] })
  const code = { type: 'code_interpreter_call', id: 'ci', container_id: 'k', code: 'a = "1"', status: 'completed' }
  script.begin({ ...code, code: null })
  script.send({ type: 'response.code_interpreter_call.in_progress', item_id: 'ci', output_index: 2 })
  for (const delta of ['a = ', '"1"']) {
    script.send({ type: 'response.code_interpreter_call_code.delta', item_id: 'ci', output_index: 2, delta })
  }
  script.done({ ...code, outputs: [{ type: 'logs', logs: '1' }] })
  const image = { type: 'image_generation_call', id: 'ig', status: 'completed', result: 'BB' }
  script.begin({ ...image, result: null })
  script.send({
    type: 'response.image_generation_call.partial_image',
    item_id: 'ig',
    output_index: 3,
    partial_image_b64: 'AA',
  })
  script.done(image)
  const call = { type: 'function_call', id: 'fc', call_id: 'c', name: 'look', arguments: '{"q":1}' }
  script.begin({ ...call, arguments: '' })
  for (const delta of ['{"q"', ':1}']) {
    script.send({ type: 'response.function_call_arguments.delta', item_id: 'fc', output_index: 4, delta })
  }
  script.done(call)
  script.send({ type: 'keepalive' })
  return script.complete({ usage: { total_tokens: 9 } })
}
