import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { createChatStreamMapper } from '../../demo/server/chat/createChatStreamMapper.ts'
import { createModelClient } from '../../demo/server/chat/createModelClient.ts'
import { readRecordings } from '../adapters/openAI/readRecordings.ts'
import { expectSoundLog } from './support/expectSoundLog.ts'
import { eventsOf, readAll } from './support/readFrames.ts'
import { startTestServer, type TestServer } from './support/startTestServer.ts'

let server: TestServer | undefined
let wire: Server | undefined
afterEach(async () => {
  await server?.close()
  wire?.closeAllConnections()
  wire?.close()
  server = wire = undefined
})

/** A server that answers every request with recorded chunks, the second time with a plain end. */
async function serveChunks(lines: readonly string[], status = 200) {
  let requests = 0
  wire = createServer((_request, response) => {
    requests += 1
    if (status !== 200) {
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ error: { message: 'Incorrect key sk-secret', type: 'x' } }))
      return
    }
    const done = '{"choices":[{"index":0,"delta":{"content":"Done."},"finish_reason":"stop"}]}'
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const line of requests === 1 ? lines : [done]) response.write(`data: ${line}\n\n`)
    response.end('data: [DONE]\n\n')
  })
  wire.listen(0, '127.0.0.1')
  await once(wire, 'listening')
  const baseURL = `http://127.0.0.1:${(wire.address() as AddressInfo).port}/v1`
  server = await startTestServer({ model: createModelClient({ apiKey: 'sk-secret', baseURL }) })
  const { frames, runId } = await server.createBrowser().start('Hello')
  const read = await readAll(frames)
  expectSoundLog(read, runId)
  return eventsOf(read)
}

interface WireDelta {
  content?: string | null
  reasoning_content?: string | null
  tool_calls?: { function?: { name?: string; arguments?: string } }[]
}

interface WireChunk {
  choices: { delta: WireDelta }[]
  usage?: { total_tokens: number }
}

/** What the recorded chunks hold, read in the plainest way. */
function readRecording(lines: readonly string[]) {
  const chunks = lines.map((line) => JSON.parse(line) as WireChunk)
  const deltas = chunks.flatMap(({ choices }) => choices.map(({ delta }) => delta))
  const calls = deltas.flatMap(({ tool_calls: made }) => made ?? [])
  return {
    text: deltas.map(({ content }) => content ?? '').join(''),
    reasoning: deltas.map((delta) => delta.reasoning_content ?? '').join(''),
    names: calls.flatMap((call) => (call.function?.name ? [call.function.name] : [])),
    arguments: calls.map((call) => call.function?.arguments ?? '').join(''),
    tokens: chunks.flatMap(({ usage }) => (usage ? [usage.total_tokens] : [])).at(-1),
  }
}

describe('recorded streams', () => {
  it.each(readRecordings('openai-chat'))('$name becomes a sound run through the real client', async ({ chunks }) => {
    const lines = chunks.map((chunk) => JSON.stringify(chunk))
    const recorded = readRecording(lines)
    const events = await serveChunks(lines)
    const join = (type: string) =>
      events.map((event) => (event.type === type ? (event.payload as { delta: string }).delta : '')).join('')
    const toolCalls = events.filter((event) => event.type === 'tool.requested')
    expect(join('message.delta')).toBe(recorded.text + (recorded.names.length > 0 ? 'Done.' : ''))
    expect(join('reasoning.delta')).toBe(recorded.reasoning)
    expect(join('tool.arguments_delta')).toBe(recorded.arguments)
    expect(toolCalls.map((event) => event.payload.name)).toEqual(recorded.names)
    // The recorded tools are not this server's, which the model is told.
    for (const event of events.filter((one) => one.type === 'tool.failed')) {
      expect(event.payload).toMatchObject({ error: { code: 'unknown_tool' } })
    }
    expect(events.at(-1)).toMatchObject({ type: 'run.completed', payload: { usage: { totalTokens: recorded.tokens } } })
  })
})

describe('the chat wire', () => {
  const chunk = (delta: unknown, more: object = {}) => JSON.stringify({ choices: [{ index: 0, delta, ...more }] })
  const stop = (reason: string) => chunk({}, { finish_reason: reason })

  it('ends in a failed run where the answer is withheld', async () => {
    expect((await serveChunks([chunk({ content: 'No' }), stop('content_filter')])).slice(-2)).toMatchObject([
      { type: 'message.failed' },
      { type: 'run.failed', payload: { error: { code: 'content_filter' } } },
    ])
  })

  it('tells the status of a refusal, and no secret', async () => {
    const events = await serveChunks([], 401)
    expect(events.at(-1)).toMatchObject({ type: 'run.failed', payload: { error: { code: 'model_refused' } } })
    expect(JSON.stringify(events)).not.toContain('sk-secret')
    expect(JSON.stringify(events)).toContain('401')
  })

  it('keeps a refusal as text and says that it was one', async () => {
    const pieces = [chunk({ content: null, refusal: 'I ' }), chunk({ refusal: 'will not.' })]
    expect((await serveChunks([...pieces, stop('stop')])).at(-1)).toMatchObject({
      type: 'run.completed',
      payload: { output: { refused: true, finishReason: 'stop' } },
    })
  })

  it('tells the model of arguments that are not complete or do not fit', async () => {
    const read = (index: number, id: string, text: string) =>
      chunk({ tool_calls: [{ index, id, function: { name: 'document_read', arguments: text } }] })
    const events = await serveChunks([read(0, 'a', '{"documentId":"on'), read(1, 'b', '{}'), stop('length')])
    const failed = events.filter((event) => event.type === 'tool.failed')
    expect(failed.map((event) => event.payload.error.code)).toEqual(['invalid_arguments', 'invalid_arguments'])
  })
})

describe('a message before a tool call', () => {
  const create = (cut?: { text: string; messageId: string | undefined }) => {
    let made = 0
    return createChatStreamMapper({
      createMessageId: () => `m${(made += 1)}`,
      createReasoningId: () => 'r',
      claimToolCallId: (wireId) => wireId ?? 'made',
      withReasoning: true,
      cut,
    })
  }
  const text = (content: string) => ({ choices: [{ delta: { content } }] })
  const piece = (called: object) => ({ choices: [{ delta: { tool_calls: [{ index: 0, ...called }] } }] })

  it('is complete with the first piece of the call, named or not, and text after it is another message', () => {
    const mapper = create()
    mapper.push(text('Let me see.'))
    expect(mapper.push(piece({ id: 'a', function: { arguments: '' } }))).toEqual([
      { type: 'message.completed', payload: { messageId: 'm1' } },
    ])
    expect(mapper.push(piece({ function: { name: 'one', arguments: '{' } })).map(({ type }) => type)).toEqual([
      'tool.requested',
      'tool.arguments_delta',
    ])
    expect(mapper.push(text('And so')).map(({ type }) => type)).toEqual(['message.started', 'message.delta'])
    const { drafts, step } = mapper.finish()
    expect(drafts).toEqual([{ type: 'message.completed', payload: { messageId: 'm2' } }])
    expect(step.text).toBe('Let me see.And so')
  })

  it('that was cut off is continued, whether the model goes on or says it all again', () => {
    const say = (pieces: readonly string[], cut = { text: 'Let me', messageId: 'old' as string | undefined }) => {
      const mapper = create(cut)
      const drafts = pieces.flatMap((one) => mapper.push(text(one)))
      const deltas = drafts.flatMap((draft) => (draft.type === 'message.delta' ? [draft.payload] : []))
      const { drafts: last, step } = mapper.finish()
      expect(step.text).toBe(cut.text + deltas.map(({ delta }) => delta).join(''))
      return { text: step.text, ids: [...new Set(deltas.map(({ messageId }) => messageId))], last }
    }
    const whole = { text: 'Let me see.', ids: ['old'] }
    expect(say([' se', 'e.'])).toMatchObject(whole)
    expect(say(['Le', 't m', 'e see', '.'])).toMatchObject(whole)
    expect(say(['Let me see.'])).toMatchObject(whole)
    expect(say(['L', 'ook'])).toMatchObject({ text: 'Let meLook' })
    expect(say(['Let'])).toMatchObject({ text: 'Let me', last: [{ payload: { messageId: 'old' } }] })
    expect(say([' see.'], { text: 'Let me', messageId: undefined })).toMatchObject({ text: 'Let me see.', ids: ['m1'] })
  })
})

describe('putting tool calls together', () => {
  function map(deltas: readonly unknown[]) {
    let made = 0
    const taken = new Set<string>()
    const mapper = createChatStreamMapper({
      createMessageId: () => 'm',
      createReasoningId: () => 'r',
      claimToolCallId: (wireId) => {
        const id = wireId === undefined || taken.has(wireId) ? `made-${(made += 1)}` : wireId
        taken.add(id)
        return id
      },
      withReasoning: true,
    })
    const drafts = deltas.flatMap((delta) => mapper.push({ choices: [{ delta }] }))
    return { drafts, step: mapper.finish().step }
  }
  const calls = (...pieces: unknown[]) => map(pieces.map((piece) => ({ tool_calls: [piece] }))).step.toolCalls

  it('keeps parallel calls apart by index', () => {
    expect(
      calls(
        { index: 0, id: 'a', function: { name: 'one', arguments: '' } },
        { index: 1, id: 'b', function: { name: 'two', arguments: '{' } },
        { index: 0, function: { arguments: '{}' } },
        { index: 1, function: { arguments: '}' } },
      ),
    ).toEqual([
      { toolCallId: 'a', name: 'one', arguments: '{}' },
      { toolCallId: 'b', name: 'two', arguments: '{}' },
    ])
  })

  it('makes ids where the wire has none, an empty one, or one that the run has already', () => {
    expect(
      calls(
        { index: 0, function: { name: 'one', arguments: '1' } },
        { index: 1, id: '', function: { name: 'two', arguments: '2' } },
        { index: 2, id: 'x', function: { name: 'three', arguments: '3' } },
        { index: 3, id: 'x', function: { name: 'four', arguments: '4' } },
      ).map(({ toolCallId, name }) => [toolCallId, name]),
    ).toEqual([
      ['made-1', 'one'],
      ['made-2', 'two'],
      ['x', 'three'],
      ['made-3', 'four'],
    ])
  })

  it('understands whole calls without an index, and calls that all have the index 0', () => {
    expect(
      calls(
        { function: { name: 'one', arguments: '{"a":1}' } },
        { function: { name: 'two', arguments: '{' } },
        { function: { arguments: '}' } },
      ),
    ).toMatchObject([
      { name: 'one', arguments: '{"a":1}' },
      { name: 'two', arguments: '{}' },
    ])
    expect(
      calls(
        { index: 0, id: 'a', function: { name: 'one', arguments: '1' } },
        { index: 0, id: 'b', function: { name: 'two', arguments: '2' } },
      ),
    ).toMatchObject([{ toolCallId: 'a' }, { toolCallId: 'b' }])
  })

  it('waits for a name, repeats none, and drops a call that never got one', () => {
    const { drafts, step } = map([
      { tool_calls: [{ index: 0, id: 'a', function: { arguments: '{' } }] },
      { tool_calls: [{ index: 0, id: 'a', function: { name: 'one', arguments: '}' } }] },
      { tool_calls: [{ index: 0, id: 'a', function: { name: 'one', arguments: '' } }] },
      { tool_calls: [{ index: 1, id: 'b', function: { arguments: '{}' } }] },
    ])
    expect(step.toolCalls).toEqual([{ toolCallId: 'a', name: 'one', arguments: '{}' }])
    expect(drafts.map(({ type }) => type)).toEqual(['tool.requested', 'tool.arguments_delta'])
  })

  it('takes content and thinking as parts, and survives what is no chunk', () => {
    const { drafts } = map([
      { content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'Hm' }] }] },
      { content: [{ type: 'text', text: 'Yes' }] },
      { content: 7 },
      null,
    ])
    expect(drafts.map(({ type }) => type)).toEqual([
      'reasoning.started',
      'reasoning.delta',
      'reasoning.completed',
      'message.started',
      'message.delta',
    ])
  })
})
