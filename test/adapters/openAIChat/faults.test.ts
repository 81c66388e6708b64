import { AgentTransportError, type AgentEvent } from 'redux-agent'
import { createOpenAIChatProvider } from 'redux-agent/adapters/openai-chat'
import { createFaultyFetch, validateAgentProviderEvents } from 'redux-agent/testing'
import { describe, expect, it } from 'vitest'
import { collectRun } from '../openAI/collectRun.ts'
import { createWire, json, streamText, toSse, type WireAnswer } from '../openAI/createWire.ts'

const secret = 'sk-secret and the words of a person'
const chunk = (delta: unknown, finishReason: string | null = null) => ({
  choices: [{ index: 0, delta, finish_reason: finishReason }],
})
const whole = [
  chunk({ reasoning_content: 'Hm 😀' }),
  chunk({ content: 'Hi ' }),
  chunk({ content: '世界 😀' }),
  chunk({ tool_calls: [{ index: 0, id: 'a', function: { name: 'look', arguments: '{"q":' } }] }),
  chunk({ tool_calls: [{ index: 0, function: { arguments: '"é"}' } }] }),
  chunk({}, 'tool_calls'),
  { choices: [], usage: { total_tokens: 9 } },
  '[DONE]',
]

async function run(answer: WireAnswer | typeof fetch) {
  const fetch = typeof answer === 'function' ? answer : createWire(answer).fetch
  const provider = createOpenAIChatProvider({ fetch })
  const result = await collectRun(provider, { input: { message: 'Hello' } })
  expect(validateAgentProviderEvents(provider.capabilities, result.events)).toEqual([])
  return { ...result, end: result.events.at(-1)! }
}

const textOf = (events: readonly AgentEvent[]) =>
  events.map((event) => (event.type === 'message.delta' ? event.payload.delta : '')).join('')

describe('a stream that breaks', () => {
  it('is read whole however its bytes are split', async () => {
    const { state } = await run(whole)
    for (const size of [1, 2, 3, 7, 64]) {
      expect((await run(streamText(toSse(whole), size))).state).toEqual(state)
    }
  })

  it('after each chunk is one failure that keeps what was said, or one right ending', async () => {
    for (let count = 0; count < whole.length; count += 1) {
      const { end, events, state } = await run(whole.slice(0, count))
      expect(end.type, String(count)).toBe(count < 6 ? 'run.failed' : 'run.completed')
      expect(textOf(events)).toBe(['', '', 'Hi '][count] ?? 'Hi 世界 😀')
      expect(state.issues).toEqual([])
      if (end.type === 'run.failed') expect(end.payload.error).toMatchObject({ code: 'incomplete', retryable: true })
    }
  })

  it('by an error at any byte does the same', async () => {
    const bytes = new TextEncoder().encode(toSse(whole)).length
    for (let at = 0; at < bytes; at += 9) {
      const { end, state } = await run(createFaultyFetch(createWire(whole).fetch, () => ({ cutAfterBytes: at })))
      expect(['run.failed', 'run.completed']).toContain(end.type)
      if (end.type === 'run.failed') expect(end.payload.error.code).toBe('network')
      expect(state.issues).toEqual([])
    }
  })

  it('ends at its [DONE], though the server holds it open', async () => {
    const bytes = new TextEncoder().encode(toSse(whole))
    const body = new ReadableStream<Uint8Array>({ start: (controller) => controller.enqueue(bytes) })
    const { end } = await run(new Response(body, { headers: { 'content-type': 'text/event-stream' } }))
    expect(end.type).toBe('run.completed')
  })

  it('is closed by an abort, which claims nothing', async () => {
    const controller = new AbortController()
    const provider = createOpenAIChatProvider({
      fetch: async (_url, init) => {
        controller.abort()
        init?.signal?.throwIfAborted()
        return new Response()
      },
    })
    const { events } = await collectRun(provider, { input: { message: 'Hello' }, signal: controller.signal })
    expect(events.map(({ type }) => type)).toEqual(['run.started', 'message.started', 'message.completed'])
  })
})

describe('an error', () => {
  it.each([
    { error: { message: secret, type: 'server_error', code: null }, code: 'server_error', retryable: true },
    { error: { message: secret, code: 'insufficient_quota' }, code: 'insufficient_quota', retryable: undefined },
    { error: { message: secret, code: 429 }, code: '429', retryable: true },
    { error: secret, code: 'provider_error', retryable: undefined },
  ])('in the stream ends the run by its code alone: $code', async ({ error, code, retryable }) => {
    const { end, state } = await run([chunk({ content: 'So' }), { error }, chunk({ content: ' more' }), '[DONE]'])
    expect(end).toMatchObject({ type: 'run.failed', payload: { error: { code } } })
    expect((end.payload as { error: { retryable?: boolean } }).error.retryable).toBe(retryable)
    expect(JSON.stringify(state)).not.toContain('secret')
    expect(Object.values(state.messages).map(({ status }) => status)).toEqual(['completed', 'failed'])
  })

  it('of one choice, or as the reason of the end, ends the run as well', async () => {
    const byChoice = await run([{ choices: [{ index: 0, delta: {}, error: { code: 502, message: secret } }] }])
    expect(byChoice.end).toMatchObject({ type: 'run.failed', payload: { error: { code: '502' } } })
    const byReason = await run([chunk({ content: 'a' }), chunk({}, 'insufficient_system_resource')])
    expect(byReason.end).toMatchObject({ type: 'run.failed', payload: { error: { retryable: true } } })
  })

  it.each([401, 403, 429, 500])(
    'of status %i ends the run, with the service’s code and none of its words',
    async (status) => {
      const { end, failures } = await run(json({ error: { message: secret, code: 'some_code' } }, status))
      expect(failures[0]).toMatchObject({ code: 'http_status', status, serverCode: 'some_code' })
      expect(end).toMatchObject({
        type: 'run.failed',
        payload: {
          error: {
            code: 'http_status',
            message: `openai-chat: The server answered with status ${status} (some_code), not 200.`,
          },
        },
      })
      expect(JSON.stringify(end)).not.toContain('secret')
    },
  )

  it('page that says 200 is none of the stream', async () => {
    const page = new Response(`<html>${secret}</html>`, { headers: { 'content-type': 'text/html' } })
    const { end } = await run(page)
    expect(end).toMatchObject({ type: 'run.failed', payload: { error: { code: 'content_type' } } })
    expect(JSON.stringify(end)).not.toContain('secret')
  })
})

describe('a frame that is none', () => {
  it.each([
    { frame: `{"choices": ${secret}`, what: 'chunk 1 of the stream is not JSON' },
    { frame: [secret], what: 'chunk 1 of the stream is no chat completion chunk' },
    { frame: { choices: secret }, what: 'chunk 1' },
    { frame: { choices: [{ delta: { content: 7 } }] }, what: 'chunk 1' },
    { frame: { choices: [{ delta: { tool_calls: [null] } }] }, what: 'chunk 1' },
    { frame: { choices: [{ delta: { tool_calls: [{ function: { name: {} } }] } }] }, what: 'chunk 1' },
  ])('is one error that names the adapter and the chunk: $what', async ({ frame, what }) => {
    const { end, failures } = await run([chunk({ content: 'So' }), frame, chunk({ content: 'more' }, 'stop')])
    expect(failures[0]).toBeInstanceOf(AgentTransportError)
    expect(end).toMatchObject({ type: 'run.failed', payload: { error: { code: 'invalid_frame' } } })
    const { message } = (end.payload as { error: { message: string } }).error
    expect(message).toContain(`openai-chat: ${what}`)
    expect(JSON.stringify(end)).not.toContain('secret')
  })
})
