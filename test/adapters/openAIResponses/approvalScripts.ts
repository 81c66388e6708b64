import { createResponseScript } from './createResponseScript.ts'

export const mcp = {
  type: 'mcp',
  server_label: 'docs',
  server_url: 'https://mcp.example.com',
  require_approval: 'always',
}
export const request = (id: string, text = '{"q":1}') => ({
  ...{ type: 'mcp_approval_request', id, name: 'find', server_label: 'docs' },
  arguments: text,
})

/** A response that asks for approvals. */
export function asks(ids: readonly string[], options: { id?: string; more?: readonly Record<string, unknown>[] } = {}) {
  const script = createResponseScript({ id: options.id ?? 'resp_1' })
  for (const item of [...(options.more ?? []), ...ids.map((id) => request(id))]) {
    script.begin(item)
    script.done(item)
  }
  return script.complete()
}

/** What comes after the answers: the calls that were approved, and a message. */
export function goesOn(ids: readonly string[], options: { id?: string } = {}) {
  const script = createResponseScript({ id: options.id ?? 'resp_2' })
  for (const id of ids) {
    const call = { type: 'mcp_call', id: `call_${id}`, approval_request_id: id, name: 'find', server_label: 'docs' }
    script.begin({ ...call, arguments: '' })
    script.send({ type: 'response.mcp_call_arguments.delta', item_id: call.id, output_index: 0, delta: '{"q":1}' })
    script.done({ ...call, arguments: '{"q":1}', output: `Found ${id}.` })
  }
  script.message('Done.')
  return script.complete()
}
