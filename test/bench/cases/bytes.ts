import { createParser } from 'eventsource-parser'
import { createAgentRuntime, type AgentEvent } from 'redux-agent'
import { createRunServerProvider } from 'redux-agent/adapters/run-server'
import { configureStore } from '@reduxjs/toolkit'
import { createScript } from '../createScript.ts'
import { createTask } from '../createTask.ts'
import { measure } from '../measure.ts'
import type { BenchResult } from '../benchResult.ts'

const runId = '9f8b2c3e-1f7a-4c52-9d11-6a5d0c3e7b42'
const chunkSize = 16_384

/** (d) SSE bytes to state: run server adapter, validation, batcher and store, beside parsing alone. */
export async function bytes(deltas: number): Promise<BenchResult> {
  const script = createScript({ deltas, runId }).map((event) => ({ ...event, sequence: event.sequence + 1 }))
  const events = script.map((event) => ({ ...event, eventId: `${runId}:${event.sequence}:${event.type}` }))
  const chunks = toChunks(events)
  const perEvent = 1000 / events.length
  const [floor, own] = await measure(
    [parseAlone, stream].map((run: (given: Uint8Array[]) => unknown) => createTask({ prepare: () => chunks, run })),
    { minTime: 2000 },
  )
  return { events: events.length, microseconds: own! * perEvent, floor: floor! * perEvent }
}

function toChunks(events: readonly AgentEvent[]): Uint8Array[] {
  const start = { type: 'run-start', runId, seq: 1, assistantMessageId: 'm' }
  const frames = events.map((event) => {
    const frame = { runId, seq: event.sequence, event, createdAt: event.timestamp }
    return `id: ${event.sequence}\ndata: ${JSON.stringify(frame)}\n\n`
  })
  const text = `event: run-start\ndata: ${JSON.stringify(start)}\n\n${frames.join('')}event: end\ndata: {}\n\n`
  const encoded = new TextEncoder().encode(text)
  const chunks: Uint8Array[] = []
  for (let at = 0; at < encoded.length; at += chunkSize) chunks.push(encoded.subarray(at, at + chunkSize))
  return chunks
}

function toStream(chunks: readonly Uint8Array[]): ReadableStream<Uint8Array> {
  let index = 0
  return new ReadableStream({
    pull(controller) {
      const chunk = chunks[index++]
      if (chunk) controller.enqueue(chunk)
      else controller.close()
    },
  })
}

/** The floor: the same stream read, decoded, cut into events by eventsource-parser and parsed, and nothing else. */
async function parseAlone(chunks: readonly Uint8Array[]): Promise<unknown[]> {
  const parsed: unknown[] = []
  const decoder = new TextDecoder()
  const parser = createParser({ onEvent: ({ data }) => parsed.push(JSON.parse(data)) })
  const reader = toStream(chunks).getReader()
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    parser.feed(decoder.decode(read.value, { stream: true }))
  }
  return parsed
}

async function stream(chunks: readonly Uint8Array[]): Promise<void> {
  const provider = createRunServerProvider({
    baseUrl: 'http://bench.invalid',
    fetch: () =>
      Promise.resolve(new Response(toStream(chunks), { headers: { 'content-type': 'text/event-stream' } })),
  })
  const agent = createAgentRuntime({ providers: [provider], environment: { createId: () => runId } })
  const app = configureStore({
    reducer: { [agent.reducerPath]: agent.reducer },
    middleware: (getDefault) => getDefault().concat(agent.middleware),
  })
  const options = { sessionId: 'conversation-1', provider: provider.id, input: { message: 'Go.' } }
  await app.dispatch(agent.actions.startRun(options)).unwrap()
  const run = agent.selectors.selectRun(app.getState(), { runId })
  if (run?.status !== 'completed') throw new Error('The stream of the bench did not arrive whole.')
}
