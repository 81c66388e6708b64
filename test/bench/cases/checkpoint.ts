import { configureStore } from '@reduxjs/toolkit'
import { createAgentRuntime, createPersistCheckpointStorage, type AgentEvent } from 'redux-agent'
import { createGate, createScriptedProvider } from 'redux-agent/testing'
import type { BenchResult } from '../benchResult.ts'
import { toBatches } from '../createLoadedStore.ts'
import { createScript } from '../createScript.ts'

const eventsASecond = 100
const task = () => new Promise<void>((resolve) => setImmediate(resolve))

/**
 * A run that streams at 100 events a second into a store that keeps it with redux-persist: what its saves take, of the
 * time that it streams, and of what the same seconds take without a storage.
 */
export async function checkpoint(deltas: number): Promise<BenchResult> {
  const events = createScript({ deltas, runId: 'r1', ends: true })
  const seconds = toBatches(events, eventsASecond)
  await stream(seconds.slice(0, 20), true)
  const without = await stream(seconds, false)
  const kept = await stream(seconds, true)
  const streamed = seconds.length * 1000
  return {
    events: events.length,
    microseconds: ((kept.spent - without.spent) * 1000) / events.length,
    extra: {
      partOfStream: Math.max(0, kept.spent - without.spent) / streamed,
      writesASecond: kept.writes / seconds.length,
      bytesAtMost: kept.largest,
    },
  }
}

/** Plays the seconds one after the other, without waiting for them; gives the milliseconds of work that they took. */
async function stream(seconds: readonly (readonly AgentEvent[])[], isKept: boolean) {
  const gates = seconds.map(() => createGate())
  const provider = createScriptedProvider({
    steps: seconds.flatMap((events, second) => [{ gate: gates[second]! }, { events }]),
    capabilities: { resumable: true, sequence: 'increasing' },
  })
  const timers = new Map<() => void, number>()
  const texts = new Map<string, string>()
  let writes = 0
  let largest = 0
  const storage = createPersistCheckpointStorage({
    storage: {
      getItem: (key) => texts.get(key) ?? null,
      setItem(key, text) {
        writes += 1
        largest = Math.max(largest, text.length)
        texts.set(key, text)
      },
      removeItem: (key) => void texts.delete(key),
    },
  })
  const agent = createAgentRuntime({
    providers: [provider],
    checkpointStorage: isKept ? storage : undefined,
    environment: {
      createId: () => 'r1',
      setTimer(callback, delay) {
        timers.set(callback, delay)
        return () => void timers.delete(callback)
      },
      requestFrame: undefined,
    },
  })
  const store = configureStore({
    reducer: { agent: agent.reducer },
    middleware: (getDefault) => getDefault().concat(agent.middleware),
  })
  const { openSession, startRun } = agent.actions
  await store.dispatch(openSession({ sessionId: 'conversation-1' }))
  const run = store.dispatch(startRun({ sessionId: 'conversation-1', provider: 'scripted', input: {} }))
  const begin = performance.now()
  for (const gate of gates) {
    gate.open()
    for (let turns = 0; turns < 3; turns += 1) await task()
    for (const callback of [...timers.keys()]) {
      timers.delete(callback)
      callback()
    }
    if (isKept) await storage.flush('conversation-1')
  }
  await run.unwrap()
  return { spent: performance.now() - begin, writes, largest }
}
