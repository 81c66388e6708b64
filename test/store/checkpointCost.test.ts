import { createPersistCheckpointStorage, type AgentEvent } from 'redux-agent'
import { createGate, createScriptedProvider, type ScriptedStep } from 'redux-agent/testing'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createPage } from './createPage.ts'
import { createRun } from './createRunEvents.ts'

// redux-persist writes what nobody flushes from an interval of its own.
beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }))
afterEach(() => void vi.useRealTimers())

/** An engine that remembers what was written. */
function createEngine() {
  const texts = new Map<string, string>()
  const writes: { key: string; size: number }[] = []
  return {
    writes,
    texts,
    engine: {
      getItem: async (key: string) => texts.get(key) ?? null,
      setItem: async (key: string, text: string) => {
        writes.push({ key, size: text.length })
        texts.set(key, text)
      },
      removeItem: async (key: string) => void texts.delete(key),
    },
  }
}

/** A run of messages in seconds of so many events each. */
function createSeconds(runId: string, { seconds, eventsASecond }: { seconds: number; eventsASecond: number }) {
  const run = createRun(runId)
  return Array.from({ length: seconds }, (_, second): AgentEvent[] => {
    const messageId = `m${second}`
    const opening = [
      second === 0 ? run.create('run.started', {}) : run.create('message.completed', { messageId: `m${second - 1}` }),
      run.create('message.started', { messageId, role: 'assistant' }),
    ]
    const delta = () => run.create('message.delta', { messageId, delta: 'token ' })
    const deltas = Array.from({ length: eventsASecond - 2 }, delta)
    return [...opening, ...deltas, ...(second === seconds - 1 ? [run.create('run.completed', {})] : [])]
  })
}

/** A page that keeps its sessions with redux-persist; `stream` plays a run in its seconds. */
async function createKeptPage() {
  const { engine, writes } = createEngine()
  const storage = createPersistCheckpointStorage({ storage: engine })
  const scripts: ScriptedStep[][] = []
  const provider = createScriptedProvider({
    steps: () => scripts.shift()!,
    capabilities: { resumable: true, sequence: 'dense' },
  })
  const page = createPage({
    fetch,
    storage,
    ids: Array.from({ length: 20 }, (_, index) => `r${index}`),
    runtime: { providers: [provider] },
  })
  await page.open().unwrap()
  const { store, agent } = page

  async function stream(seconds: readonly (readonly AgentEvent[])[]) {
    const gates = seconds.map(() => createGate())
    scripts.push(seconds.flatMap((events, second) => [{ gate: gates[second]! }, { events }]))
    void store.dispatch(agent.actions.startRun({ sessionId: 's1', provider: 'scripted', input: {} }))
    await page.rest(2)
    for (const gate of gates) {
      gate.open()
      await page.rest(2)
      page.advance(1000)
      page.fireTimers(1000)
      vi.advanceTimersByTime(1)
      await page.rest(1)
    }
    await page.rest(4)
  }

  return { ...page, writes, stream }
}

describe('what a checkpoint costs', { timeout: 600_000 }, () => {
  it('is one write a second while 20,000 events stream, apart from the forced ones', async () => {
    const { stream, writes, state } = await createKeptPage()
    await stream(createSeconds('r0', { seconds: 100, eventsASecond: 200 }))
    expect(state().runs.r0).toMatchObject({ status: 'completed' })
    const heads = writes.filter(({ key }) => !key.includes(':run'))
    // Forced: before the request, and at the run's end; then the session without the run, which has a key of its own.
    expect(heads.length).toBeGreaterThan(90)
    expect(heads.length).toBeLessThanOrEqual(100 + 3)
    expect(writes.filter(({ key }) => key.includes(':run:'))).toHaveLength(1)
  })

  it('does not grow with the runs that have ended', async () => {
    const { stream, writes } = await createKeptPage()
    const largest: number[] = []
    for (let index = 0; index < 12; index += 1) {
      const before = writes.length
      await stream(createSeconds(`r${index}`, { seconds: 4, eventsASecond: 500 }))
      const sizes = writes.slice(before).filter(({ key }) => !key.endsWith(':runs'))
      largest.push(Math.max(...sizes.map(({ size }) => size)))
      // The run's own key, once.
      expect(sizes.filter(({ key }) => key.includes(':run:'))).toHaveLength(1)
    }
    expect(largest.at(-1)! / largest[0]!).toBeLessThan(1.05)
  })
})
