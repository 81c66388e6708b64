import { finished, said } from './chunks.ts'
import { packages, type Version } from './createAiServer.ts'
import type { Scenario } from './scenario.ts'

/** A server that writes chunks as an app's own does, into the package's own response. */
const writes =
  (list: (version: Version) => readonly object[]): Scenario['server'] =>
  (version) => ({ steps: [], answer: () => write(version, list(version)) })

function write(version: Version, chunks: readonly object[]): Response {
  const ai = packages[version]
  const stream = ai.createUIMessageStream({
    execute: ({ writer }) => {
      for (const chunk of chunks) writer.write(chunk as never)
    },
    onError: (error) => String(error),
  })
  return ai.createUIMessageStreamResponse({ stream })
}

/** What no model says, but an app's own server does. */
export const writtenScenarios: readonly Scenario[] = [
  {
    name: 'texts that overlap',
    status: 'completed',
    server: writes(() => [
      { type: 'start', messageId: 'm1' },
      { type: 'start-step' },
      { type: 'text-start', id: 'a' },
      { type: 'text-delta', id: 'a', delta: 'A1 ' },
      { type: 'text-start', id: 'b', providerMetadata: { x: { y: 1 } } },
      { type: 'text-delta', id: 'b', delta: 'B1 ' },
      { type: 'text-delta', id: 'a', delta: 'A2' },
      { type: 'text-delta', id: 'b', delta: 'B2' },
      { type: 'text-end', id: 'a' },
      { type: 'text-end', id: 'b' },
      ...finished(),
    ]),
  },
  {
    name: 'data parts',
    status: 'completed',
    server: writes(() => [
      { type: 'start', messageId: 'm1' },
      { type: 'data-status', data: 'before' },
      { type: 'start-step' },
      { type: 'data-plan', id: 'p', data: { done: 0 } },
      { type: 'data-status', data: { at: 1 } },
      { type: 'data-status', id: 'p', data: null },
      { type: 'data-note', data: 'once', transient: true },
      { type: 'text-start', id: 't' },
      { type: 'text-delta', id: 't', delta: 'Planned.' },
      { type: 'data-plan', id: 'p', data: { done: 1 } },
      { type: 'text-end', id: 't' },
      { type: 'finish-step' },
      { type: 'start-step' },
      { type: 'data-plan', id: 'p', data: { done: 2 } },
      { type: 'finish-step' },
      { type: 'start-step' },
      { type: 'finish-step' },
      // Metadata makes the client show what it has, the empty step included.
      { type: 'finish', messageMetadata: {} },
    ]),
  },
  {
    name: 'steps that are taken back, custom parts and steering',
    versions: [7],
    status: 'completed',
    server: writes(() => [
      { type: 'start', messageId: 'm1' },
      { type: 'start-step' },
      ...said('t', 'Kept.'),
      { type: 'custom', kind: 'openai.compaction', providerMetadata: { openai: { itemId: 'c1' } } },
      ...said('t', 'Also kept.'),
      { type: 'finish-step' },
      {
        type: 'steering-message',
        id: 'steer',
        parts: [
          { type: 'text', text: 'Be brief.' },
          { type: 'file', url: 'https://example.com/a.png', mediaType: 'image/png' },
        ],
      },
      { type: 'start-step' },
      { type: 'reasoning-start', id: 'r' },
      { type: 'reasoning-delta', id: 'r', delta: 'Wrong.' },
      { type: 'reasoning-end', id: 'r' },
      { type: 'text-start', id: 't' },
      { type: 'text-delta', id: 't', delta: 'Taken back' },
      { type: 'tool-input-start', toolCallId: 'c', toolName: 'weather' },
      { type: 'tool-input-delta', toolCallId: 'c', inputTextDelta: '{"ci' },
      { type: 'tool-input-available', toolCallId: 'done', toolName: 'weather', input: { city: 'Bern' } },
      { type: 'tool-output-available', toolCallId: 'done', output: 1 },
      { type: 'data-plan', id: 'p', data: 1 },
      { type: 'source-url', sourceId: 's', url: 'https://example.com' },
      { type: 'reset-step' },
      ...said('t', 'Said anew.'),
      { type: 'data-plan', id: 'p', data: 2 },
      { type: 'tool-input-available', toolCallId: 'c', toolName: 'weather', input: { city: 'Rome' } },
      { type: 'tool-output-available', toolCallId: 'c', output: 'warm' },
      { type: 'finish-step' },
      { type: 'reasoning-file', url: 'data:image/png;base64,aGk=', mediaType: 'image/png' },
      { type: 'finish', finishReason: 'stop' },
    ]),
  },
  {
    name: 'an abort on the server',
    status: 'cancelled',
    server: writes((version) => [
      { type: 'start', messageId: 'm1' },
      { type: 'start-step' },
      { type: 'text-start', id: 't' },
      { type: 'text-delta', id: 't', delta: 'Half' },
      { type: 'tool-input-start', toolCallId: 'c', toolName: 'weather' },
      { type: 'abort', ...(version > 5 && { reason: 'stopped' }) },
    ]),
  },
]
