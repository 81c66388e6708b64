import type { AnyAgentProvider } from 'redux-agent'
import { createAgUiProvider } from 'redux-agent/adapters/ag-ui'
import { createAiSdkProvider } from 'redux-agent/adapters/ai-sdk'
import { createOpenAIChatProvider, type AdapterHttpOptions } from 'redux-agent/adapters/openai-chat'
import { createOpenAIResponsesProvider } from 'redux-agent/adapters/openai-responses'
import { createRunServerProvider } from 'redux-agent/adapters/run-server'
import { createGate } from 'redux-agent/testing'
import { describe, expect, it } from 'vitest'
import { collectRun } from './openAI/collectRun.ts'

const adapters: readonly { name: string; limit: number; make: (options: AdapterHttpOptions) => AnyAgentProvider }[] = [
  { name: 'openai-chat', limit: 600_000, make: createOpenAIChatProvider },
  { name: 'openai-responses', limit: 600_000, make: createOpenAIResponsesProvider },
  { name: 'ai-sdk', limit: 600_000, make: createAiSdkProvider },
  { name: 'ag-ui', limit: 600_000, make: (options) => createAgUiProvider({ ...options, url: '/agent' }) },
  { name: 'run-server', limit: 45_000, make: (options) => createRunServerProvider({ ...options, headers: undefined }) },
]

/** Timers that ring when a test says so. */
function createBell() {
  const waiting = new Map<number, () => void>()
  const delays = new Set<number>()
  return {
    delays,
    count: () => waiting.size,
    ring: () => [...waiting.values()].forEach((callback) => callback()),
    timers: {
      setTimeout(callback: () => void, delay: number) {
        delays.add(delay)
        const handle = Math.max(0, ...waiting.keys()) + 1
        waiting.set(handle, callback)
        return handle
      },
      clearTimeout: (handle: unknown) => waiting.delete(handle as number),
    },
  }
}

describe.each(adapters)('a server of $name that says nothing', ({ name, limit, make }) => {
  it.each(['at all', 'after its headers'])('%s is given up after a time, once and with nothing left open', async (how) => {
    const silence = createGate()
    const bell = createBell()
    let isClosed = false
    const fetch: typeof globalThis.fetch = async (_url, init) => {
      init?.signal?.addEventListener('abort', () => (isClosed = true))
      if (how === 'at all') await silence.pass()
      const body = new ReadableStream<Uint8Array>({ pull: () => silence.pass() }, { highWaterMark: 0 })
      return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
    }
    const running = collectRun(make({ fetch, timers: bell.timers }), { input: { message: 'Hi' } })
    await silence.reached
    expect([...bell.delays]).toEqual([limit])
    expect(bell.count()).toBe(1)
    bell.ring()
    const { failures, state } = await running
    expect(failures).toMatchObject([{ code: 'idle_timeout', adapter: name, retryable: true }])
    // A run server's run goes on without its wire; of the others one line says what became of it.
    if (name !== 'run-server') expect(state.runs.r1).toMatchObject({ status: 'failed', error: { code: 'idle_timeout' } })
    expect([bell.count(), isClosed]).toEqual([0, true])
  })

  it('is waited for as long as the app says, for ever where that is 0', async () => {
    for (const [idleTimeout, expected] of [
      [1000, [1000]],
      [0, []],
    ] as const) {
      const bell = createBell()
      const fetch = async () => new Response('', { headers: { 'content-type': 'text/event-stream' } })
      await collectRun(make({ fetch, timers: bell.timers, idleTimeout }), { input: { message: 'Hi' } })
      expect([...bell.delays]).toEqual(expected)
    }
  })
})
