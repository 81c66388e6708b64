import { runAgentProvider } from 'redux-agent'
import { createAgUiProvider } from 'redux-agent/adapters/ag-ui'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { streamText } from '../openAI/createWire.ts'
import { toolResult } from './playAgUi.ts'
import { called, finished, said, started } from './runAgUi.ts'

// A cursor holds what its reader has in hand, and each chunk has one: what is in hand is written once, not once a chunk.

const ids = (count: number) => Array.from({ length: count }, (_, index) => `i${index}`)
const long = 'x'.repeat(100_000)
const deltas = ids(500).flatMap(() => said('m', 'word ').slice(1, 2))
const [begun, ended] = [said('m').slice(0, 1), said('m').slice(-1)]
const encrypted = (entityId: string) => ({ type: 'REASONING_ENCRYPTED_VALUE', subtype: 'message', entityId, encryptedValue: 'v'.repeat(200) })

const streams: Readonly<Record<string, readonly object[]>> = {
  'a long result whose call is yet to come': [toolResult('t', long), ...begun, ...deltas, ...ended],
  'many results whose calls are yet to come': [...ids(500).map((id) => toolResult(id, id.repeat(50))), ...begun, ...deltas, ...ended],
  'what a snapshot says otherwise': [
    ...[...begun, ...deltas.slice(1), { type: 'MESSAGES_SNAPSHOT', messages: [{ id: 'm', role: 'assistant', content: long }] }],
    ...[...deltas, ...ended],
  ],
  'calls that were made again': [...[...ids(300), ...ids(300)].flatMap((id) => called(id, 'look')), ...begun, ...deltas, ...ended],
  'many results, then their calls': [...ids(500).map((id) => toolResult(id, id.repeat(50))), ...ids(500).flatMap((id) => called(id, 'look'))],
  'values that came before what they belong to': [...ids(500).map(encrypted), ...begun, ...deltas, ...ended],
  'spans without words': [...ids(1000).map((messageId) => ({ type: 'REASONING_START', messageId })), ...begun, ...deltas, ...ended],
  'chunks of many subagents': [
    ...ids(500).map((id) => ({ type: 'TEXT_MESSAGE_CHUNK', messageId: id, subagentRunId: id, role: 'assistant', delta: 'Hi' })),
    ...[...begun, ...deltas, ...ended],
  ],
}

afterEach(() => void vi.restoreAllMocks())

describe('what is written of a stream for its cursors is no more than a few times its length', () => {
  it.each(Object.entries(streams))('with %s in hand', async (_name, events) => {
    const frames = [started(), ...events, finished()].map((event, at) => `id: ${at}\ndata: ${JSON.stringify(event)}\n\n`)
    const body = frames.join('')
    const fetch = async () => streamText(body)
    const provider = createAgUiProvider({ url: '/agent', fetch, resume: { request: () => ({ url: '/agent' }) } })
    const write = JSON.stringify
    let written = 0
    vi.spyOn(JSON, 'stringify').mockImplementation((...given: Parameters<typeof JSON.stringify>) => {
      const text = write(...given)
      written += text?.length ?? 0
      return text
    })
    // To cut off the end of a list copies the list, and to join it again goes through its entries.
    const { slice } = String.prototype
    vi.spyOn(String.prototype, 'slice').mockImplementation(function (this: string, ...range: [number?, number?]) {
      const text = slice.apply(this, range)
      if ((range[1] ?? 0) < 0) written += text.length
      return text
    })
    const { values } = Map.prototype
    vi.spyOn(Map.prototype, 'values').mockImplementation(function* (this: Map<unknown, unknown>) {
      for (const value of values.call(this)) {
        if (typeof value === 'string') written += value.length
        yield value
      }
    } as typeof values)
    const cursors: string[] = []
    await runAgentProvider({
      ...{ provider, input: { message: 'Hi' }, run: { sessionId: 's1', runId: 'r1' } },
      onEvent: () => undefined,
      onCursor: (cursor) => void cursors.push(cursor),
    })
    expect(cursors).toHaveLength(frames.length)
    expect(Math.max(...cursors.map(({ length }) => length))).toBeGreaterThan(5000)
    expect(written).toBeLessThan(3 * body.length)
  })
})
