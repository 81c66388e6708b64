import type { AnyAgentProvider } from 'redux-agent'
import { createAgUiProvider } from 'redux-agent/adapters/ag-ui'
import { createAiSdkProvider } from 'redux-agent/adapters/ai-sdk'
import { createOpenAIResponsesProvider } from 'redux-agent/adapters/openai-responses'
import { describe, expect, it } from 'vitest'
import { createHarness, endOfTask, expectSilentConsole } from '../store/createHarness.ts'
import { toolResult } from './agUi/playAgUi.ts'
import { called, finished, interrupted, said, started } from './agUi/runAgUi.ts'
import * as aiSdk from './aiSdk/chunks.ts'
import { createWire, json, streamText, toSse, type WireAnswer } from './openAI/createWire.ts'
import * as responses from './openAIResponses/approvalScripts.ts'

expectSilentConsole()

// What goes wrong in the stream that an approval's answer brings, in a real store, by each wire that has approvals.

interface Asking {
  readonly make: (fetch: typeof globalThis.fetch) => AnyAgentProvider
  readonly asking: readonly unknown[]
  /** What comes after the answer: it says "Done." */
  readonly goingOn: readonly unknown[]
  readonly unknown: unknown
  readonly malformed: readonly unknown[]
}

const secret = 'SECRET-WORDS'
const wires: Readonly<Record<string, Asking>> = {
  'ai-sdk': {
    make: (fetch) => createAiSdkProvider({ fetch }),
    asking: [
      { type: 'start', messageId: 'm' },
      { type: 'start-step' },
      { type: 'tool-input-available', toolCallId: 'c', toolName: 'deploy', input: {} },
      { type: 'tool-approval-request', approvalId: 'a', toolCallId: 'c' },
      ...aiSdk.finished('tool-calls'),
    ],
    goingOn: aiSdk.goesOn(['c'], 'Do', 'ne.'),
    unknown: { type: 'hologram' },
    malformed: [`{"a": ${secret}`, [secret], { type: 'text-delta', id: 7, delta: secret }],
  },
  'ag-ui': {
    make: (fetch) => createAgUiProvider({ fetch, url: '/agent' }),
    asking: [started(), ...called('c', 'deploy'), interrupted([{ id: 'a', reason: 'tool_call', toolCallId: 'c' }])],
    goingOn: [started('r2'), toolResult('c'), ...said('m', 'Do', 'ne.'), finished('r2')],
    unknown: { type: 'HOLOGRAM' },
    malformed: [`{"a": ${secret}`, [secret], { type: 'TEXT_MESSAGE_CONTENT', messageId: 7, delta: secret }],
  },
  'openai-responses': {
    make: (fetch) => createOpenAIResponsesProvider({ fetch }),
    asking: responses.asks(['a']),
    goingOn: responses.goesOn(['a']),
    unknown: { type: 'response.hologram' },
    malformed: [`{"a": ${secret}`, [secret], { type: 'response.output_text.delta', delta: { secret } }],
  },
}

const broken = (chunks: readonly unknown[]) => {
  const bytes = new TextEncoder().encode(toSse(chunks))
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(bytes),
    pull: (controller) => controller.error(new TypeError(secret)),
  })
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
}

describe.each(Object.entries(wires))('an answer by %s', (name, { make, asking, goingOn, unknown, malformed }) => {
  async function answer(answered: WireAnswer) {
    const { fetch, sent } = createWire(asking, answered, goingOn)
    const provider = make(fetch)
    const page = createHarness({ providers: [provider], ids: ['r1'], frames: false })
    const { store, agent, state } = page
    await store.dispatch(agent.actions.startRun({ sessionId: 's1', provider, input: { message: 'Go' } })).unwrap()
    const resolve = () =>
      store.dispatch(agent.actions.resolveApproval({ runId: 'r1', approvalId: 'a', decision: 'approved' })).unwrap()
    const rest = async () => {
      for (let turn = 0; turn < 25; turn += 1) await endOfTask()
    }
    const error = await resolve().then(
      () => undefined,
      (thrown: unknown) => thrown as Error,
    )
    await rest()
    const run = () => state().runs.r1!
    const isWaiting = Object.values(state().approvals).some(({ status }) => status === 'waiting')
    const text = Object.values(state().messages)
      .filter(({ role }) => role === 'assistant')
      .map(({ content }) => String(content))
      .join('')
    expect(state().issues).toEqual([])
    expect('Done.'.startsWith(text)).toBe(true)
    expect(JSON.stringify(state())).not.toContain(secret)
    // The answer was not taken, the person is told why and gives it again; or it was, and the run has one end.
    expect(run().status === 'running').toBe(isWaiting)
    if (isWaiting) {
      expect(error?.message).toMatch(new RegExp(`^${name}\\b`))
      expect(error?.message).not.toContain(secret)
      await resolve()
      await rest()
      expect(run().status).toBe('completed')
      expect(sent).toHaveLength(3)
    } else expect(error).toBeUndefined()
    if (!isWaiting && run().status === 'failed') expect(run().error?.message).toMatch(new RegExp(`^${name}\\b`))
    return { isWaiting, run: run(), text }
  }

  it('goes on to the end, however the bytes are split', async () => {
    for (const size of [1, 7, Infinity]) {
      const { isWaiting, run, text } = await answer(streamText(toSse(goingOn), size))
      expect([isWaiting, run.status, text]).toEqual([false, 'completed', 'Done.'])
    }
  })

  it('may be cut after each chunk, in a frame, or by an error', async () => {
    for (let cut = 0; cut < goingOn.length; cut += 1) {
      const chunks = goingOn.slice(0, cut)
      const ways: WireAnswer[] = [chunks, streamText(`${toSse(chunks)}data: {"ty`), broken(chunks), [...chunks, '[DONE]']]
      for (const way of ways) {
        const { isWaiting, run } = await answer(way)
        if (cut === 0) expect(isWaiting).toBe(true)
        expect(isWaiting ? 'completed' : 'failed').toBe(run.status)
      }
    }
  })

  it('may bring what nobody knows, and what is none', async () => {
    for (let at = 0; at < goingOn.length; at += 1) {
      const around = (chunk: unknown) => [...goingOn.slice(0, at), chunk, ...goingOn.slice(at)]
      expect((await answer(around(unknown))).text).toBe('Done.')
      for (const bad of malformed) {
        const { isWaiting, run } = await answer(around(bad))
        expect(isWaiting ? 'completed' : 'failed').toBe(run.status)
      }
    }
  })

  it('that is no stream was not taken', async () => {
    const page = (status: number) => new Response(`<html>${secret}`, { status, headers: { 'content-type': 'text/html' } })
    const refusals = [page(200), json({ ok: secret }), page(500), ...[401, 409, 429, 500].map((status) => json({ error: { code: 'no', message: secret } }, status))]
    for (const refusal of refusals) expect((await answer(refusal)).isWaiting).toBe(true)
  })
})
