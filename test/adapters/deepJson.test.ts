import { parseAgentCheckpoint, type AgentState, type AnyAgentProvider } from 'redux-agent'
import { createAgUiProvider } from 'redux-agent/adapters/ag-ui'
import { createAiSdkProvider } from 'redux-agent/adapters/ai-sdk'
import { createOpenAIChatProvider } from 'redux-agent/adapters/openai-chat'
import { createOpenAIResponsesProvider } from 'redux-agent/adapters/openai-responses'
import { describe, expect, it } from 'vitest'
import { collectRun } from './openAI/collectRun.ts'
import { streamText } from './openAI/createWire.ts'

// JSON that is right and that no state can hold: one clear error, or what is held of it can be stored.

const nest = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
const records = (depth: number) => '{"a":'.repeat(depth) + '1' + '}'.repeat(depth)
const shallow = { 'lists, 150 deep': nest(150), 'records, 150 deep': records(150) }
const hostile = {
  'lists, 199 deep': nest(199),
  'records, 250 deep': records(250),
  'lists, 5000 deep': nest(5000),
  'lists, 200000 deep': nest(200_000),
  'a number by its exponent': '{"a":1e999}',
  'a number by its digits': `[${'9'.repeat(400)}]`,
  'a number by its digits and its exponent': `[${'9'.repeat(250)}e99]`,
}

type Place = readonly [string, (fetch: typeof globalThis.fetch) => AnyAgentProvider, (value: string) => readonly string[]]

const chat = (fetch: typeof globalThis.fetch) => createOpenAIChatProvider({ fetch })
const responses = (fetch: typeof globalThis.fetch) => createOpenAIResponsesProvider({ fetch })
const aiSdk = (fetch: typeof globalThis.fetch) => createAiSdkProvider({ fetch })
const agUi = (fetch: typeof globalThis.fetch) => createAgUiProvider({ fetch, url: '/agent' })
const created = '{"type":"response.created","response":{"id":"r"}}'
const completed = '{"type":"response.completed","response":{"id":"r","status":"completed"}}'
const itemOf = (item: string) => [created, `{"type":"response.output_item.done","output_index":0,"item":${item}}`, completed]
const call = '{"type":"tool-input-available","toolCallId":"c","toolName":"x","input":{}}'
const started = '{"type":"RUN_STARTED","threadId":"s1","runId":"r1"}'

const places: readonly Place[] = [
  ['a part of an answer, by openai-chat', chat, (value) => [`{"choices":[{"delta":{"content":[{"type":"x","v":${value}}]},"finish_reason":"stop"}]}`]],
  ['a result, by openai-responses', responses, (value) => itemOf(`{"type":"code_interpreter_call","id":"m","code":"x","outputs":${value}}`)],
  ['a mark, by openai-responses', responses, (value) => itemOf(`{"type":"message","id":"m","content":[{"type":"output_text","text":"Hi","annotations":[{"v":${value}}]}]}`)],
  ['a question, by openai-responses', responses, (value) => itemOf(`{"type":"mcp_approval_request","id":"m","name":"n","server_label":"s","arguments":${JSON.stringify(value)}}`)],
  ['data, by ai-sdk', aiSdk, (value) => [`{"type":"data-x","id":"d","data":${value}}`, '{"type":"finish","finishReason":"stop"}']],
  ['metadata, by ai-sdk', aiSdk, (value) => [`{"type":"start","messageMetadata":${value}}`, '{"type":"finish","finishReason":"stop"}']],
  ['a question, by ai-sdk', aiSdk, (value) => [call, `{"type":"tool-approval-request","toolCallId":"c","approvalId":"a","approvalDescriptor":${value}}`, '{"type":"finish"}']],
  ['shared state, by ag-ui', agUi, (value) => [started, `{"type":"STATE_SNAPSHOT","snapshot":${value}}`, '{"type":"RUN_FINISHED","threadId":"s1","runId":"r1"}']],
  ['a question, by ag-ui', agUi, (value) => [started, `{"type":"RUN_FINISHED","threadId":"s1","runId":"r1","outcome":{"type":"interrupt","interrupts":[{"id":"i","metadata":{"v":${value}}}]}}`]],
]

const toCheckpoint = (state: AgentState) => ({
  ...{ schemaVersion: 1, eventProtocolVersion: '0.1', commandProtocolVersion: '0.1', sessionId: 's1', savedAt: 1 },
  ...{ state, inputByRun: {}, cursorByRun: {}, pendingCommands: [] },
})

describe.each(places)('%s', (_name, make, write) => {
  async function play(value: string) {
    const provider = make(async () => streamText(write(value).map((frame) => `data: ${frame}\n\n`).join('')))
    const { state, failures } = await collectRun(provider, { input: { message: 'Hi' } })
    expect(state.issues).toEqual([])
    // Whatever is held can be stored and read again.
    expect(parseAgentCheckpoint(toCheckpoint(state), { sessionId: 's1' })).not.toHaveProperty('fault')
    const isParked = Object.values(state.approvals).some(({ status }) => status === 'waiting')
    return { state, failures, isParked }
  }

  it.each(Object.entries(hostile))('may be %s: an error that names its chunk, or its text', async (_what, value) => {
    const { state, failures, isParked } = await play(value)
    if (failures.length === 0) expect(isParked).toBe(true)
    else {
      expect(failures).toMatchObject([{ code: 'invalid_frame', chunk: expect.any(Number) as number }])
      expect(state.runs.r1?.status).toBe('failed')
    }
  })

  it.each(Object.entries(shallow))('may be %s', async (_what, value) => {
    const { state, failures, isParked } = await play(value)
    expect(failures).toEqual([])
    expect(isParked || state.runs.r1?.status === 'completed').toBe(true)
  })
})

it('Shared state of ag-ui that its changes copy into itself, until no text could hold it, is left as it was.', async () => {
  const copies = ['/a', '/b', '/c', '/d', '/e', '/f', '/g'].flatMap((from, index, all) => {
    const to = all[index + 1] ?? '/h'
    const copy = { op: 'copy', from, path: `${to}/-` }
    return [{ op: 'add', path: to, value: [] }, ...Array.from({ length: 60 }, () => copy)]
  })
  const frames = [
    { type: 'RUN_STARTED', threadId: 's1', runId: 'r1' },
    { type: 'STATE_SNAPSHOT', snapshot: { a: [1] } },
    { type: 'STATE_DELTA', delta: copies },
    { type: 'RUN_FINISHED', threadId: 's1', runId: 'r1' },
  ]
  const provider = agUi(async () => streamText(frames.map((frame) => `data: ${JSON.stringify(frame)}\n\n`).join('')))
  const { state, failures } = await collectRun(provider, { input: { message: 'Hi' } })
  expect(failures).toEqual([])
  expect(Object.values(state.artifacts)).toMatchObject([{ content: { a: [1] }, error: { code: 'state_diverged' } }])
  expect(state.runs.r1?.status).toBe('completed')
})
