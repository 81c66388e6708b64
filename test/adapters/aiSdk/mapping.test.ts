import { selectAgentTimeline, selectMessages, type AgentState } from 'redux-agent'
import { createMemoryAiSdkFiles, toUIMessages, type AiSdkTransientData } from 'redux-agent/adapters/ai-sdk'
import { validateAgentProviderEvents } from 'redux-agent/testing'
import { describe, expect, it } from 'vitest'
import { finished, said } from './chunks.ts'
import { streamOf } from './createAiServer.ts'
import { createHeadlessRun } from './runHeadless.ts'

type Options = Parameters<typeof createHeadlessRun>[0]

/** Reads chunks as one stream. */
async function read(chunks: readonly unknown[], options: Options = {}, done = true) {
  const run = createHeadlessRun({ fetch: async () => streamOf(chunks, { done }), ...options })
  await run.start()
  return run
}

const start = { type: 'start', messageId: 'm1' }
const step = { type: 'start-step' }
const end = finished()
const text = (delta: string, id = 't') => said(id, delta)
const available = (toolCallId: string, more: object = {}) => ({
  type: 'tool-input-available',
  toolCallId,
  toolName: 'weather',
  input: { city: 'Rome' },
  ...more,
})
const tool = (state: AgentState, id: string) => state.toolCalls[`2:r1:${id}`]
const artifact = (state: AgentState, id: string) => state.artifacts[`2:r1:${id}`]

describe('the end of a stream', () => {
  it.each([
    ['stop', { status: 'completed', output: { finishReason: 'stop' } }],
    ['tool-calls', { status: 'completed', output: { finishReason: 'tool-calls' } }],
    ['length', { status: 'completed', output: { finishReason: 'length' } }],
    ['content-filter', { status: 'completed', output: { finishReason: 'content-filter' } }],
    [null, { status: 'completed', output: { finishReason: 'stop' } }],
    ['error', { status: 'failed', error: { code: 'stream_error' } }],
    ['other', { status: 'failed', error: { code: 'incomplete', message: 'ai-sdk: The answer is not whole (other).' } }],
    ['interrupted', { status: 'failed', error: { code: 'incomplete' } }],
  ])('that says finish %s', async (finishReason, expected) => {
    const run = await read([start, step, ...text('Hi.'), { type: 'finish', finishReason }])
    expect(run.state().runs.r1).toMatchObject(expected)
    expect(validateAgentProviderEvents(run.provider.capabilities, run.events)).toEqual([])
  })

  it('that says a reason which the app takes for whole', async () => {
    const run = await read([start, { type: 'finish', finishReason: 'other' }], { incompleteFinishReasons: [] })
    expect(run.state().runs.r1?.status).toBe('completed')
  })

  it('that says an error has its words, and what follows is still heard', async () => {
    const run = await read([
      start,
      step,
      { type: 'text-start', id: 't' },
      { type: 'text-delta', id: 't', delta: 'Half' },
      available('c'),
      { type: 'error', errorText: 'Overloaded.' },
      { type: 'finish-step' },
      { type: 'finish', finishReason: 'error', messageMetadata: { tokens: 3 } },
    ])
    expect(run.state().runs.r1?.error).toEqual({ code: 'stream_error', message: 'Overloaded.' })
    expect(selectMessages(run.state()).at(-1)).toMatchObject({ status: 'error', message: { content: 'Half' } })
    expect(tool(run.state(), 'c')).toMatchObject({ status: 'cancelled' })
    expect(run.messages()[1]).toMatchObject({ metadata: { tokens: 3 } })
    expect(validateAgentProviderEvents(run.provider.capabilities, run.events)).toEqual([])
  })

  it('that says nothing is a loss: it neither succeeds nor is silent', async () => {
    for (const done of [true, false]) {
      const run = await read([start, step, ...text('Half')], {}, done)
      expect(run.loss()).toMatchObject({ code: 'incomplete', retryable: true })
      expect(run.state().runs.r1).toMatchObject({ status: 'failed', error: { code: 'incomplete', retryable: true } })
    }
  })

  it('needs no [DONE]', async () => {
    const run = await read([start, step, ...text('Hi.'), ...end], {}, false)
    expect(run.state().runs.r1?.status).toBe('completed')
  })
})

describe('what a server gets wrong', () => {
  it.each([
    ['no JSON', 'data: {"type":"te\n\n', 'ai-sdk: chunk 1 of the stream is not JSON.'],
    ['no object', 'data: 5\n\n', 'ai-sdk: chunk 1 of the stream has no type.'],
    ['a field missing', 'data: {"type":"text-start","secret":"s"}\n\n', 'ai-sdk: chunk 1 of the stream is no proper "text-start".'],
    ['a field of another type', 'data: {"type":"text-delta","id":"t","delta":7}\n\n', 'ai-sdk: chunk 1 of the stream is no proper "text-delta".'],
    ['data of a hostile name', 'data: {"type":"data-secret","id":7}\n\n', 'ai-sdk: chunk 1 of the stream is no proper "data-*".'],
  ])('%s is one clear error', async (_, frame, message) => {
    const body = `data: ${JSON.stringify(start)}\n\n${frame}`
    const headers = { 'content-type': 'text/event-stream' }
    const run = createHeadlessRun({ fetch: async () => new Response(body, { headers }) })
    await run.start()
    expect(run.state().runs.r1?.error).toMatchObject({ code: 'invalid_frame', message })
  })

  it.each([
    [401, { code: 'http_status', retryable: false }],
    [429, { code: 'http_status', retryable: true }],
    [500, { code: 'http_status', retryable: true }],
  ])('status %i is one clear error', async (status, expected) => {
    const run = createHeadlessRun({ fetch: async () => new Response('{"code":"nope","message":"private"}', { status }) })
    await run.start()
    expect(run.state().runs.r1?.error).toMatchObject(expected)
    expect(JSON.stringify(run.state())).not.toContain('private')
  })

  it('a page with status 200 is one clear error', async () => {
    const run = createHeadlessRun({
      fetch: async () => new Response('<html>', { headers: { 'content-type': 'text/html' } }),
    })
    await run.start()
    expect(run.state().runs.r1?.error).toMatchObject({ code: 'content_type' })
  })

  it('null for what is absent, types that nobody knows, and text that was never begun are taken as they are meant', async () => {
    const nulls = { providerMetadata: null, title: null, dynamic: null }
    const run = await read([
      { ...start, messageMetadata: null },
      { type: 'pong' },
      step,
      { type: 'text-delta', id: 'x', delta: 'Never begun.', ...nulls },
      { type: 'text-end', id: 'y' },
      { type: 'reasoning-delta', id: 'r', delta: 'Nor this.' },
      { type: 'reasoning-end', id: 's' },
      { type: 'tool-input-delta', toolCallId: 'z', inputTextDelta: '{' },
      available('c', nulls),
      { type: 'tool-output-available', toolCallId: 'c', output: null, preliminary: null },
      { type: 'tool-output-available', toolCallId: 'never', output: 5 },
      { type: 'tool-output-error', toolCallId: 'nor', errorText: '' },
      { type: 'tool-approval-response', approvalId: 'none', approved: true },
      ...end,
    ])
    expect(run.state().runs.r1?.status).toBe('completed')
    expect(tool(run.state(), 'c')).toMatchObject({ status: 'completed', result: null })
    expect(tool(run.state(), 'never')).toMatchObject({ status: 'completed', result: 5, name: 'tool' })
    expect(tool(run.state(), 'nor')).toMatchObject({ status: 'failed', error: { message: 'The tool failed.' } })
    expect(run.messages()[1]!.parts).toContainEqual({ type: 'text', text: 'Never begun.', state: 'streaming' })
    expect(validateAgentProviderEvents(run.provider.capabilities, run.events)).toEqual([])
  })

  it('what is over stands, whatever is said of it later', async () => {
    const run = await read([
      start,
      step,
      available('c'),
      { type: 'tool-output-available', toolCallId: 'c', output: 1 },
      { type: 'tool-output-available', toolCallId: 'c', output: 2 },
      { type: 'tool-output-error', toolCallId: 'c', errorText: 'No.' },
      { type: 'tool-approval-request', approvalId: 'q', toolCallId: 'c' },
      ...end,
    ])
    expect(tool(run.state(), 'c')).toMatchObject({ status: 'completed', result: 1 })
    expect(run.state().approvals).toEqual({})
    expect(run.state().issues).toEqual([])
  })

  it('ids like __proto__ are ids', async () => {
    const id = '__proto__'
    const run = await read([
      { type: 'start', messageId: id, messageMetadata: { constructor: { prototype: { bad: 1 } }, good: 1 } },
      step,
      ...text('Hi.', id),
      { type: 'reasoning-start', id },
      { type: 'reasoning-end', id },
      available(id),
      { type: 'tool-approval-request', approvalId: id, toolCallId: id },
      { type: 'tool-output-available', toolCallId: id, output: 1 },
      { type: `data-${id}`, id, data: { [id]: 1 } },
      ...end,
    ])
    expect(run.state().runs.r1?.status).toBe('completed')
    expect(run.state().issues).toEqual([])
    expect(Object.prototype).not.toHaveProperty('bad')
    expect(run.messages()[1]!.parts.map(({ type }) => type)).toEqual([
      'step-start',
      'text',
      'reasoning',
      'tool-weather',
      'data-__proto__',
    ])
  })
})

describe('a tool call', () => {
  it('that nobody is asked about runs as soon as something follows, and one of the provider’s at once', async () => {
    const run = await read([
      start,
      step,
      available('p', { providerExecuted: true }),
      available('s'),
      { type: 'data-note', data: 1 },
      ...text('Meanwhile.'),
      { type: 'tool-output-available', toolCallId: 's', output: 1 },
      ...end,
    ])
    const running = run.events.filter(({ type }) => type === 'tool.running')
    expect(running.map(({ payload }) => payload)).toEqual([{ toolCallId: 'p' }, { toolCallId: 's' }])
    const types = run.types()
    expect(types.indexOf('tool.running')).toBeLessThan(types.lastIndexOf('tool.running'))
    expect(types.lastIndexOf('tool.running')).toBeGreaterThan(types.indexOf('artifact.created'))
  })

  it('whose id comes again in another step is another call', async () => {
    const once = (output: number) => [
      step,
      available('c'),
      { type: 'tool-output-available', toolCallId: 'c', output },
      { type: 'finish-step' },
    ]
    const run = await read([start, ...once(1), ...once(2), { type: 'finish', finishReason: 'stop' }])
    expect(Object.values(run.state().toolCalls).map(({ result }) => result)).toEqual([1, 2])
    expect(run.messages()[1]!.parts.filter(({ type }) => type === 'tool-weather')).toMatchObject([
      { toolCallId: 'c', output: 1 },
      { toolCallId: 'c', output: 2 },
    ])
  })

  it('whose input differs from what streamed keeps both: the text as it came, the input for what is sent', async () => {
    const run = await read([
      start,
      step,
      { type: 'tool-input-start', toolCallId: 'c', toolName: 'weather', title: 'Weather', dynamic: true },
      { type: 'tool-input-delta', toolCallId: 'c', inputTextDelta: '{"city":"Rom' },
      available('c', { dynamic: true }),
      { type: 'tool-input-start', toolCallId: 'd', toolName: 'shell', inputEncoding: 'text' },
      { type: 'tool-input-delta', toolCallId: 'd', inputTextDelta: 'ls -l' },
      available('d', { toolName: 'shell', input: 'ls -l' }),
      { type: 'tool-output-available', toolCallId: 'c', output: 1 },
      { type: 'tool-output-available', toolCallId: 'd', output: 2 },
      ...end,
    ])
    expect(tool(run.state(), 'c')).toMatchObject({ arguments: '{"city":"Rom' })
    expect(run.messages()[1]!.parts.slice(1)).toMatchObject([
      { type: 'dynamic-tool', toolName: 'weather', title: 'Weather', input: { city: 'Rome' } },
      { type: 'tool-shell', input: 'ls -l' },
    ])
  })

  it('that was still on its way when the run ended is told as the client tells it', async () => {
    const run = await read([
      start,
      step,
      { type: 'tool-input-start', toolCallId: 'c', toolName: 'weather' },
      { type: 'tool-input-delta', toolCallId: 'c', inputTextDelta: '{"ci' },
      available('d'),
      { type: 'tool-output-available', toolCallId: 'd', output: 'so far', preliminary: true },
      { type: 'abort', reason: 'stopped' },
    ])
    expect(run.state().runs.r1).toMatchObject({ status: 'cancelled', reason: 'stopped' })
    expect(run.messages()[1]!.parts.slice(1)).toEqual([
      { type: 'tool-weather', toolCallId: 'c', state: 'input-streaming', rawInput: '{"ci' },
      {
        type: 'tool-weather',
        toolCallId: 'd',
        state: 'output-available',
        input: { city: 'Rome' },
        output: 'so far',
        preliminary: true,
      },
    ])
    expect(artifact(run.state(), 'preliminary:d')).toMatchObject({ parentId: 'd', content: 'so far' })
  })
})

describe('data', () => {
  it('that is transient is told once and kept nowhere', async () => {
    const told: AiSdkTransientData[] = []
    const run = await read(
      [start, { type: 'data-toast', id: 'x', data: { say: 'hi' }, transient: true }, ...end],
      { onTransientData: (data) => told.push(data) },
    )
    expect(told).toEqual([{ sessionId: 's1', runId: 'r1', name: 'toast', id: 'x', data: { say: 'hi' } }])
    expect(run.state().artifacts).toEqual({})
  })

  it('is an artifact that its id updates, and metadata is shown in no timeline', async () => {
    const run = await read([
      { ...start, messageMetadata: { model: 'm' } },
      { type: 'data-plan', id: 'p', data: 1 },
      { type: 'data-plan', id: 'p', data: 2 },
      ...end,
    ])
    expect(artifact(run.state(), 'data-plan:p')).toMatchObject({ name: 'plan', content: 2, status: 'completed' })
    expect(selectAgentTimeline(run.state()).map(({ kind }) => kind)).toEqual(['message', 'artifact'])
    expect(run.messages()[1]).toMatchObject({ metadata: { model: 'm' } })
  })
})

describe('a file', () => {
  const url = `data:image/png;base64,${btoa('x'.repeat(60))}`
  const chunks = [start, step, { type: 'file', url, mediaType: 'image/png' }, ...end]

  it('that is large is kept beside the state, and sent on as it came', async () => {
    const files = createMemoryAiSdkFiles()
    const run = await read(chunks, { files, maxInlineFileSize: 50 })
    const [file] = Object.values(run.state().artifacts)
    const { url: reference } = file!.content as { url: string }
    expect(reference).toMatch(/^blob:/)
    expect(JSON.stringify(run.state())).not.toContain('base64')
    expect(files.get(reference)).toBe(url)
    const [, answer] = toUIMessages(run.state(), { getFile: files.get })
    expect(answer!.parts).toContainEqual({ type: 'file', url, mediaType: 'image/png' })
    // After a reload it is gone, and so is its part.
    expect(run.messages()[1]!.parts).toEqual([{ type: 'step-start' }])
  })

  it('that is small stays where it is', async () => {
    const run = await read(chunks)
    expect(run.messages()[1]!.parts).toContainEqual({ type: 'file', url, mediaType: 'image/png' })
  })
})

describe('a step that is taken back', () => {
  const chunks = [
    start,
    step,
    { type: 'reasoning-start', id: 'r' },
    { type: 'reasoning-delta', id: 'r', delta: 'Wrong.' },
    { type: 'reasoning-end', id: 'r' },
    { type: 'text-start', id: 't' },
    { type: 'text-delta', id: 't', delta: 'Wrong too' },
    available('c'),
    { type: 'tool-approval-request', approvalId: 'q', toolCallId: 'c' },
    { type: 'data-plan', data: 1 },
    { type: 'reset-step' },
    ...text('Right.'),
    ...end,
  ]

  it('is cancelled with meta.reset and not shown', async () => {
    const run = await read(chunks, { mayResetSteps: true })
    const { messages, reasoning, toolCalls, approvals, artifacts } = run.state()
    const reset = { status: 'cancelled', reason: 'reset', meta: { reset: true } }
    expect(messages['2:r1:m1:1']).toMatchObject(reset)
    expect(reasoning['2:r1:m1:1:r']).toMatchObject(reset)
    expect(toolCalls['2:r1:c']).toMatchObject(reset)
    expect(approvals['2:r1:q']).toMatchObject({ decision: 'expired', meta: { reset: true } })
    expect(Object.values(artifacts)[0]).toMatchObject({ status: 'failed', meta: { reset: true } })
    expect(selectAgentTimeline(run.state()).map(({ id }) => id)).toEqual(['r1:user', 'm1:1#2'])
    expect(selectMessages(run.state()).at(-1)!.message.content).toBe('Right.')
    expect(run.state().runs.r1?.status).toBe('completed')
  })

  it('shows reasoning that had ended where the app has not said that steps may be', async () => {
    const run = await read(chunks)
    expect(selectAgentTimeline(run.state()).map(({ kind }) => kind)).toEqual(['message', 'reasoning', 'message'])
    expect(run.messages()[1]!.parts.map(({ type }) => type)).toEqual(['step-start', 'text'])
  })
})

it('a step may have hundreds of texts', async () => {
  const chunks = Array.from({ length: 500 }, (_, index) => text(`${index} `, `t${index}`)).flat()
  const run = await read([start, step, ...chunks, ...end])
  expect(run.messages()[1]!.parts).toHaveLength(501)
  expect(selectMessages(run.state()).at(-1)!.message.content).toHaveLength(1890)
})
