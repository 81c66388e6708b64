import { createOpenAIResponsesProvider } from 'redux-agent/adapters/openai-responses'
import { validateAgentProviderEvents } from 'redux-agent/testing'
import { describe, expect, it } from 'vitest'
import { expectSilentConsole } from '../../store/createHarness.ts'
import { collectRun } from '../openAI/collectRun.ts'
import { createWire, json } from '../openAI/createWire.ts'
import { asks, goesOn } from './approvalScripts.ts'
import { createLongScript } from './createLongScript.ts'
import { createResponseScript } from './createResponseScript.ts'
import { start } from './startApprovalRun.ts'

expectSilentConsole()

// Numbers that are not what they should be, and ends that are none.

type Fields = Record<string, unknown>

const writeScript = () => {
  const script = createResponseScript()
  script.message('Hello, you', 3)
  return script.complete({ usage: { total_tokens: 5 } })
}
const numbered = (number: (index: number, count: number) => unknown): Fields[] => {
  const chunks = writeScript()
  return chunks.map((chunk, index) => ({ ...chunk, sequence_number: number(index, chunks.length) }))
}

async function run(chunks: readonly unknown[], background: boolean) {
  const { fetch, sent } = createWire(chunks, json({}, 404))
  const provider = createOpenAIResponsesProvider({ fetch, background })
  const result = await collectRun(provider, { input: { message: 'Hi' } })
  expect(result.state.issues).toEqual([])
  const answer = Object.values(result.state.messages).find(({ role }) => role === 'assistant')
  return { ...result, provider, sent, run: result.state.runs.r1!, text: answer?.content ?? '' }
}

describe.each([false, true])('numbers that do not rise (in the background: %s)', (background) => {
  it.each<[string, (index: number, count: number) => unknown]>([
    ['none', () => undefined],
    ['all 0', () => 0],
    ['all 7', () => 7],
    ['an end that is numbered 0', (index, count) => (index === count - 1 ? 0 : index)],
    ['an end that is numbered 1', (index, count) => (index === count - 1 ? 1 : index)],
    ['an end that has the number before it', (index, count) => (index === count - 1 ? index - 1 : index)],
    ['an end without one', (index, count) => (index === count - 1 ? undefined : index)],
    ['from 1 on', (index) => index + 1],
    ['every other one missing', (index) => (index % 2 === 0 ? index : undefined)],
    ['gaps', (index) => index * 10],
    ['downwards', (index, count) => count - index],
    ['that begin anew in the middle', (index) => index % 6],
    ['as text', (index) => String(index)],
    ['negative', (index) => -index],
    ['too large to count', (index) => index * 2 ** 52],
  ])('end the run all the same, with every word once: %s', async (_name, number) => {
    const { run: ended, text, failures, events, provider } = await run(numbered(number), background)
    expect(failures).toEqual([])
    expect(ended).toMatchObject({ status: 'completed', usage: { totalTokens: 5 } })
    expect(text).toBe('Hello, you')
    expect(validateAgentProviderEvents(provider.capabilities, events)).toEqual([])
  })

  it.each(['completed', 'incomplete', 'failed', 'cancelled'] as const)(
    'leave no run hanging that is %s by a number that was there',
    async (status) => {
      const chunks = writeScript().slice(0, -1)
      const last = { type: `response.${status}`, response: { id: 'resp_1', status, output: [] }, sequence_number: 2 }
      const { run: ended } = await run([...chunks, last], background)
      expect(ended.status).toBe(status === 'incomplete' ? 'completed' : status)
    },
  )

  it('leave no run hanging that an error ends', async () => {
    const chunks = writeScript().slice(0, -1)
    const { run: ended } = await run([...chunks, { type: 'error', code: 'busy', sequence_number: 0 }], background)
    expect(ended).toMatchObject({ status: 'failed', error: { code: 'busy' } })
    expect(ended.error?.message).toMatch(/^openai-responses: .* in chunk \d+ \(busy\)\.$/)
  })
})

it('what was there and comes again, however much of it, says nothing twice', async () => {
  const chunks = createLongScript()
  const whole = await run(chunks, false)
  for (let end = 1; end < chunks.length; end += 2) {
    for (let from = 0; from <= end; from += 3) {
      const again = await run([...chunks.slice(0, end), ...chunks.slice(from)], false)
      expect(again.text).toEqual(whole.text)
      expect(again.state.toolCalls).toEqual(whole.state.toolCalls)
      expect(again.state.reasoning).toEqual(whole.state.reasoning)
      expect(again.run).toEqual(whole.run)
    }
  }
})

describe('what comes in between', () => {
  it.each<[string, Fields]>([
    ['a type that is not known', { type: 'response.hologram.delta', delta: 'words' }],
    ['a type of another kind', { type: 'keepalive' }],
    ['no type', { words: 1 }],
    ['the queue, in the middle', { type: 'response.queued', response: { id: 'resp_1', status: 'queued' } }],
    ['the queue, without its response', { type: 'response.queued' }],
    ['its progress, again', { type: 'response.in_progress', response: { id: 'resp_1' } }],
  ])('is passed over, wherever it comes: %s', async (_name, extra) => {
    const whole = await run(writeScript(), false)
    for (let at = 0; at < writeScript().length; at += 1) {
      const chunks = writeScript()
      const { run: ended, text } = await run([...chunks.slice(0, at), extra, ...chunks.slice(at)], false)
      expect(text).toBe(whole.text)
      expect(ended.output).toEqual(whole.run.output)
    }
  })
})

describe('a stream that says [DONE] before its response ends', () => {
  it('is one clear error, also where the server holds it open', async () => {
    const chunks = [...writeScript().slice(0, -1), '[DONE]']
    const { run: ended, failures } = await run([...chunks], false)
    expect(failures).toMatchObject([{ code: 'incomplete', retryable: true, adapter: 'openai-responses' }])
    expect(ended.error?.message).toMatch(/^openai-responses: chunk \d+: The stream was closed before/)
    const bytes = new TextEncoder().encode(chunks.map((chunk) => `data: ${typeof chunk === 'string' ? chunk : JSON.stringify(chunk)}\n\n`).join(''))
    const held = new ReadableStream<Uint8Array>({ start: (controller) => controller.enqueue(bytes) })
    const provider = createOpenAIResponsesProvider({
      fetch: async () => new Response(held, { headers: { 'content-type': 'text/event-stream' } }),
    })
    expect((await collectRun(provider, { input: {} })).failures).toMatchObject([{ code: 'incomplete' }])
  })

  it('in the background is a loss, which is taken up again', async () => {
    const { failures, run: lost } = await run([...writeScript().slice(0, -1), '[DONE]'], true)
    expect(failures).toMatchObject([{ code: 'incomplete', retryable: true }])
    expect(lost.status).toBe('running')
  })
})

describe('what goes on after an approval', () => {
  const settled = async (answer: readonly unknown[] | Response) => {
    const run = await start([asks(['a']), answer, goesOn(['a'])])
    const error = await run.resolve('a').then(
      () => undefined,
      (thrown: unknown) => thrown as Error,
    )
    await run.settle()
    return { ...run, error, approval: () => run.state().approvals['2:r1:a']! }
  }
  const failure = { code: 'busy', message: 'words of a person' }

  it.each([
    ['an error', [{ type: 'error', ...failure }]],
    ['an error without a type', [{ error: failure }]],
    ['a failed response', [{ type: 'response.failed', response: { id: 'resp_2', status: 'failed', error: failure } }]],
  ])('by %s alone did not: the approval waits on, and is answered again', async (_name, answer) => {
    const { error, approval, run, resolve, settle } = await settled(answer)
    expect(error).toMatchObject({ message: 'openai-responses: The service did not go on from the answer (busy). Answer again.' })
    expect(approval().status).toBe('waiting')
    expect(run().status).toBe('running')
    await resolve('a')
    await settle()
    expect(run().status).toBe('completed')
    expect(approval().decision).toBe('approved')
  })

  it.each([
    ['nothing', []],
    ['[DONE]', ['[DONE]']],
    ['no frame', ['{"type": words']],
    ['a list', [['words']]],
    ['a page', new Response('<html>words', { headers: { 'content-type': 'text/html' } })],
    ['401', json({ error: { code: 'bad' } }, 401)],
    ['429', json({ error: { code: 'bad' } }, 429)],
    ['500', json({ error: { code: 'bad' } }, 500)],
  ])('by %s did not: the approval waits on', async (_name, answer) => {
    const { error, approval, run, state, resolve, settle } = await settled(answer)
    expect(error?.message).toMatch(/^openai-responses\b/)
    expect(error?.message).not.toContain('words')
    expect(approval().status).toBe('waiting')
    expect(run().status).toBe('running')
    expect(state().issues).toEqual([])
    await resolve('a')
    await settle()
    expect(run().status).toBe('completed')
  })

  it('may break after each of its chunks: the run is one failure, and no word is doubled', async () => {
    const whole = goesOn(['a'])
    for (let cut = 1; cut < whole.length; cut += 1) {
      for (const end of [[], ['{"type": words']]) {
        const { error, approval, run, state } = await settled([...whole.slice(0, cut), ...end])
        expect(error).toBeUndefined()
        expect(approval().decision).toBe('approved')
        expect(run()).toMatchObject({ status: 'failed', error: { code: end.length > 0 ? 'invalid_frame' : 'incomplete' } })
        expect(run().error?.message).toMatch(/^openai-responses/)
        expect(state().issues).toEqual([])
        const [, said] = Object.values(state().messages)
        expect('Done.'.startsWith(String(said?.content ?? ''))).toBe(true)
      }
    }
  })

  it('may come twice, chunk by chunk', async () => {
    const whole = goesOn(['a'])
    for (let twice = 0; twice < whole.length; twice += 1) {
      const { run, state } = await settled([...whole.slice(0, twice + 1), ...whole.slice(twice)])
      expect(run().status, String(twice)).toBe('completed')
      expect(Object.values(state().messages)[1]?.content).toBe('Done.')
      expect(state().issues).toEqual([])
    }
  })
})
