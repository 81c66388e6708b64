import { runAgentProvider } from 'redux-agent'
import { createOpenAIResponsesProvider } from 'redux-agent/adapters/openai-responses'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createWire } from '../openAI/createWire.ts'
import { createResponseScript } from './createResponseScript.ts'
import { callsOf, handed, runCall, runResponse as run } from './runResponse.ts'

afterEach(() => void vi.restoreAllMocks())

describe('calls of the app’s own tools', () => {
  it('stream their arguments and are left to the app', async () => {
    const item = { type: 'function_call', id: 'fc', call_id: 'call_1', name: 'look', arguments: '{"a":1}' }
    const { call, ended } = await runCall(item, [
      { type: 'response.function_call_arguments.delta', delta: '{"a"' },
      { type: 'response.function_call_arguments.delta', delta: ':1}' },
      { type: 'response.function_call_arguments.done', arguments: '{"a":1}' },
    ])
    expect(call).toEqual({ id: 'call_1', name: 'look', text: '{"a":1}', status: 'cancelled', reason: handed })
    expect(ended.output).toMatchObject({ finishReason: 'tool_calls' })
  })

  it('take arguments that come whole', async () => {
    const item = { type: 'function_call', id: 'fc', call_id: '__proto__', name: 'constructor', arguments: '{}' }
    expect((await runCall(item)).call).toMatchObject({ id: '__proto__', name: 'constructor', text: '{}' })
  })

  it('of free text have it as JSON, however its characters are split', async () => {
    const item = { type: 'custom_tool_call', id: 'ct', call_id: 'c', name: 'sql', input: 'SELECT "😀"\n' }
    const pieces = ['SELECT "\ud83d', '\ude00"', '\n']
    const streamed = await runCall(
      item,
      pieces.map((delta) => ({ type: 'response.custom_tool_call_input.delta', delta })),
    )
    expect(JSON.parse(streamed.call!.text)).toBe(item.input)
    const whole = await runCall(item)
    expect(JSON.parse(whole.call!.text)).toBe(item.input)
  })

  it.each([
    { item: { type: 'local_shell_call', action: { type: 'exec', command: ['ls'] } }, name: 'local_shell' },
    { item: { type: 'shell_call', action: { commands: ['ls'] } }, name: 'shell' },
    { item: { type: 'apply_patch_call', operation: { type: 'delete_file', path: 'a' } }, name: 'apply_patch' },
    { item: { type: 'computer_call', action: { type: 'wait' } }, name: 'computer' },
  ])('of $name have what is to be done as arguments', async ({ item, name }) => {
    const { call } = await runCall({ ...item, id: 'x', call_id: 'c' })
    expect(call).toMatchObject({ id: 'c', name, status: 'cancelled', reason: handed })
    expect(JSON.parse(call!.text)).toEqual(item.action ?? item.operation)
  })

  it('come by the thousand under one id, each as a call of its own, whose id is not searched for from the first on', async () => {
    const script = createResponseScript()
    for (let index = 0; index < 1000; index += 1) {
      script.done({ type: 'function_call', id: `fc${index}`, call_id: 'c', name: 'look', arguments: '{}' })
    }
    const provider = createOpenAIResponsesProvider({ fetch: createWire(script.complete()).fetch })
    const ids = new Set<string>()
    const has = vi.spyOn(Set.prototype, 'has')
    await runAgentProvider({
      ...{ provider, input: { message: 'Hello' }, run: { sessionId: 's1', runId: 'r1' } },
      onEvent: ({ type, payload }) => void (type === 'tool.requested' && ids.add(payload.toolCallId)),
    })
    const looks = has.mock.calls.filter(([id]) => /^c(#\d+)?$/.test(String(id))).length
    expect(ids.size).toBe(1000)
    expect(looks).toBeLessThan(10 * ids.size)
    expect([...ids].slice(0, 3)).toEqual(['c', 'c#2', 'c#3'])
  })

  it('that the service ran itself have their output', async () => {
    const script = createResponseScript()
    const item = { type: 'shell_call', id: 'sh', call_id: 'c', action: { commands: ['ls'] } }
    const output = [{ stdout: 'a\n', stderr: '', outcome: { type: 'exit', exit_code: 0 } }]
    script.begin(item)
    script.done(item)
    script.begin({ type: 'shell_call_output', id: 'so', call_id: 'c', output: [] })
    script.done({ type: 'shell_call_output', id: 'so', call_id: 'c', output })
    const { state, run: ended } = await run(script.complete())
    expect(callsOf(state)).toMatchObject([{ status: 'completed', result: output }])
    expect(ended.output).toMatchObject({ finishReason: 'stop' })
  })
})

describe('the service’s own tools', () => {
  it('search the web', async () => {
    const action = { type: 'search', query: 'q', sources: [{ type: 'url', url: 'u' }] }
    const item = { type: 'web_search_call', id: 'ws', status: 'completed', action }
    const { state, call } = await runCall(item, [
      { type: 'response.web_search_call.in_progress' },
      { type: 'response.web_search_call.searching' },
      { type: 'response.web_search_call.completed' },
    ])
    expect(call).toMatchObject({ id: 'ws', name: 'web_search', status: 'completed', result: action.sources })
    expect(JSON.parse(call!.text)).toEqual(action)
    expect(Object.values(state.toolCalls)[0]?.meta).toEqual({
      openai: { type: 'web_search_call', itemId: 'ws', responseId: 'resp_1' },
    })
  })

  it('search files, and may fail', async () => {
    const item = {
      type: 'file_search_call',
      id: 'fs',
      status: 'completed',
      queries: ['q'],
      results: [{ file_id: 'f' }],
    }
    const { call } = await runCall(item)
    expect(call).toMatchObject({ name: 'file_search', text: '{"queries":["q"]}', result: item.results })
    const failed = await runCall({ ...item, status: 'failed', results: null })
    expect(failed.call).toMatchObject({ status: 'failed' })
    const cut = await runCall({ ...item, status: 'incomplete', results: null })
    expect(cut.call).toMatchObject({ status: 'failed' })
  })

  it('run code, whose arguments are JSON as it streams', async () => {
    const code = 'print("é")\n'
    const outputs = [{ type: 'logs', logs: 'é\n' }]
    const item = { type: 'code_interpreter_call', id: 'ci', status: 'completed', code, container_id: 'k', outputs }
    const progress = [
      { type: 'response.code_interpreter_call.in_progress' },
      ...[...code].map((delta) => ({ type: 'response.code_interpreter_call_code.delta', delta })),
      { type: 'response.code_interpreter_call_code.done', code },
      { type: 'response.code_interpreter_call.interpreting' },
    ]
    const { call } = await runCall(item, progress)
    expect(JSON.parse(call!.text)).toEqual({ code, container_id: 'k' })
    expect(call).toMatchObject({ name: 'code_interpreter', result: outputs })
    const bare = await runCall({ ...item, container_id: undefined }, progress)
    expect(JSON.parse(bare.call!.text)).toEqual({ code })
    expect(JSON.parse((await runCall(item)).call!.text)).toEqual({ code, container_id: 'k' })
  })

  it('make pictures, which come as artifacts of the call, unfinished ones first', async () => {
    const item = { type: 'image_generation_call', id: 'ig', status: 'completed', result: 'CCCC', output_format: 'webp' }
    const partial = (data: string, index: number) => ({
      type: 'response.image_generation_call.partial_image',
      output_format: 'webp',
      partial_image_b64: data,
      partial_image_index: index,
    })
    const progress = [{ type: 'response.image_generation_call.generating' }, partial('AAAA', 0), partial('BBBB', 1)]
    const { state, call } = await runCall(item, progress)
    expect(call).toMatchObject({ name: 'image_generation', status: 'completed', result: { artifactId: 'ig:image' } })
    expect(Object.values(state.artifacts)).toMatchObject([
      { parentId: 'ig', mediaType: 'image/webp', content: 'data:image/webp;base64,CCCC', status: 'completed' },
    ])
    const failed = await runCall({ ...item, status: 'failed', result: null }, progress)
    expect(Object.values(failed.state.artifacts)).toMatchObject([{ status: 'failed' }])
    const nothing = await runCall({ ...item, result: null })
    expect(nothing.state.artifacts).toEqual({})
  })

  it('of MCP servers are listed as a task, and called', async () => {
    const script = createResponseScript()
    const list = { type: 'mcp_list_tools', id: 'ml', server_label: 'docs', tools: [{ name: 'find' }, { name: 'get' }] }
    script.begin({ ...list, tools: [] })
    script.send({ type: 'response.mcp_list_tools.in_progress', item_id: 'ml', output_index: 0 })
    script.done(list)
    script.begin({ type: 'mcp_list_tools', id: 'ml2', server_label: 'other', tools: [] })
    script.done({ type: 'mcp_list_tools', id: 'ml2', server_label: 'other', tools: [], error: 'secret' })
    const call = { type: 'mcp_call', id: 'mc', server_label: 'docs', name: 'find', arguments: '{"q":1}', output: 'It.' }
    script.begin({ ...call, arguments: '', output: null })
    script.send({ type: 'response.mcp_call_arguments.delta', item_id: 'mc', output_index: 2, delta: '{"q":1}' })
    script.send({ type: 'response.mcp_call.in_progress', item_id: 'mc', output_index: 2 })
    script.done(call)
    script.done({ ...call, id: 'mc2', output: null, error: 'secret' })
    const { state } = await run(script.complete())
    expect(Object.values(state.tasks)).toMatchObject([
      { title: 'Tools of docs', status: 'completed', result: { tools: ['find', 'get'] } },
      { title: 'Tools of other', status: 'failed' },
    ])
    expect(callsOf(state)).toMatchObject([
      { id: 'mc', name: 'find', text: '{"q":1}', status: 'completed', result: 'It.' },
      { id: 'mc2', status: 'failed' },
    ])
    expect(JSON.stringify(state)).not.toContain('secret')
  })

  it('that are not known yet are calls by their names', async () => {
    const { call } = await runCall({ type: 'weather_report_call', id: 'w', status: 'completed' })
    expect(call).toMatchObject({ id: 'w', name: 'weather_report', status: 'completed' })
    const own = await runCall({ type: 'gadget_call', id: 'g', call_id: 'c', name: 'turn', arguments: '{}' })
    expect(own.call).toMatchObject({ id: 'c', name: 'turn', text: '{}', status: 'cancelled' })
  })
})
