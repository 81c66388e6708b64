import type { AiSdkMessage, AiSdkPart } from 'redux-agent/adapters/ai-sdk'
import {
  call,
  createAiServer,
  finish,
  packages,
  say,
  versions,
  type AiServerOptions,
  type ModelPart,
  type Version,
} from './createAiServer.ts'

/** A conversation with a server on the real package. */
export interface Scenario {
  readonly name: string
  readonly versions?: readonly Version[]
  readonly server: (version: Version) => Omit<AiServerOptions, 'version'>
  /** What a person answers, step by step; each list is one parked stream's. */
  readonly answers?: readonly (readonly Answer[])[]
  /** How the run ends. */
  readonly status: 'completed' | 'failed' | 'cancelled' | 'running'
}

export interface Answer {
  readonly tool: string
  readonly decision: 'approved' | 'rejected' | 'modified'
  readonly data?: unknown
}

const withApprovals: readonly Version[] = [6, 7]
const go = (...parts: (ModelPart | ModelPart[])[]) => parts.flat()
const signature = { anthropic: { signature: 'c2ln' } }

/** Writes chunks as an app's own server does, into the package's own response. */
function write(version: Version, chunks: readonly Record<string, unknown>[], more: object = {}): Response {
  const ai = packages[version]
  const stream = ai.createUIMessageStream({
    execute: ({ writer }) => {
      for (const chunk of chunks) writer.write(chunk as never)
    },
    onError: (error) => String(error),
    ...more,
  })
  return ai.createUIMessageStreamResponse({ stream })
}

export const scenarios: readonly Scenario[] = [
  {
    name: 'text',
    status: 'completed',
    server: () => ({ steps: [go(say('Hello, 世界 👋.'), finish())] }),
  },
  {
    name: 'text without a message id',
    status: 'completed',
    server: () => ({ withIds: false, steps: [go(say('Hello.'), finish())] }),
  },
  {
    name: 'a tool loop',
    status: 'completed',
    server: () => ({
      steps: [
        go(say('Let me see.'), call('weather', { city: 'Rome' }), finish('tool-calls')),
        go(say('It is warm.'), finish()),
      ],
    }),
  },
  {
    name: 'tools side by side, between several texts whose ids come again',
    status: 'completed',
    server: () => ({
      steps: [
        go(
          say('One'),
          call('weather', { city: 'Rome' }, 'a'),
          say('two'),
          say('three', 't2'),
          call('weather', { city: 'Oslo' }, 'b'),
          say('four'),
          finish('tool-calls'),
        ),
        go(say('five'), say('six'), finish()),
      ],
    }),
  },
  {
    name: 'texts that overlap',
    status: 'completed',
    server: (version) => ({
      steps: [],
      answer: () =>
        write(version, [
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
          { type: 'finish-step' },
          { type: 'finish', finishReason: 'stop' },
        ]),
    }),
  },
  {
    name: 'reasoning that is signed',
    status: 'completed',
    server: () => ({
      steps: [
        go(
          { type: 'reasoning-start', id: 'r', providerMetadata: { openai: { itemId: 'rs_1' } } },
          { type: 'reasoning-delta', id: 'r', delta: 'Hm, ' },
          { type: 'reasoning-delta', id: 'r', delta: 'so.' },
          { type: 'reasoning-delta', id: 'r', delta: '', providerMetadata: signature },
          { type: 'reasoning-end', id: 'r' },
          { type: 'text-start', id: 't1', providerMetadata: { openai: { itemId: 'm_1' } } },
          { type: 'text-delta', id: 't1', delta: 'Yes.' },
          { type: 'text-end', id: 't1', providerMetadata: { openai: { itemId: 'm_1', done: true } } },
          call('weather', { city: 'Rome' }).map((part) =>
            part.type === 'tool-call' ? { ...part, providerMetadata: { openai: { itemId: 'fc_1' } } } : part,
          ),
          finish('tool-calls'),
        ),
        go(
          { type: 'reasoning-start', id: 'r' },
          { type: 'reasoning-end', id: 'r', providerMetadata: signature },
          say('Warm.'),
          finish(),
        ),
      ],
    }),
  },
  {
    name: 'a tool that shows what it has so far',
    status: 'completed',
    server: () => ({ steps: [go(call('slow', { city: 'Rome' }), finish('tool-calls')), go(say('Done.'), finish())] }),
  },
  {
    name: 'arguments that the server refuses',
    status: 'completed',
    server: () => ({
      steps: [go(call('weather', { town: 'Rome' }), finish('tool-calls')), go(say('I see.'), finish())],
    }),
  },
  {
    name: 'a tool that throws',
    status: 'completed',
    server: () => ({
      steps: [go(call('broken', { city: 'Rome' }), finish('tool-calls')), go(say('A pity.'), finish())],
    }),
  },
  {
    name: 'a tool that the provider runs',
    // Version 5 fails at a tool that the server did not declare.
    versions: withApprovals,
    status: 'completed',
    server: () => ({
      steps: [
        go(
          { type: 'tool-input-start', id: 'w', toolName: 'search', providerExecuted: true, dynamic: true },
          { type: 'tool-input-delta', id: 'w', delta: '{"q":"x"}' },
          { type: 'tool-input-end', id: 'w' },
          {
            type: 'tool-call',
            toolCallId: 'w',
            toolName: 'search',
            input: '{"q":"x"}',
            providerExecuted: true,
            dynamic: true,
          },
          {
            type: 'tool-result',
            toolCallId: 'w',
            toolName: 'search',
            result: { hits: 1 },
            dynamic: true,
          },
          say('Found.'),
          finish(),
        ),
      ],
    }),
  },
  {
    name: 'sources and files',
    status: 'completed',
    server: (version) => ({
      steps: [
        go(
          say('See:'),
          { type: 'source', sourceType: 'url', id: 's1', url: 'https://example.com', title: 'Example' },
          { type: 'source', sourceType: 'document', id: 's2', mediaType: 'text/plain', title: 'Notes' },
          { type: 'file', mediaType: 'image/png', data: version === 7 ? { type: 'data', data: 'aGk=' } : 'aGk=' },
          finish(),
        ),
      ],
    }),
  },
  {
    name: 'metadata of the message',
    status: 'completed',
    server: () => ({
      steps: [go(say('Hi.'), finish())],
      response: {
        messageMetadata: ({ part }: { part: { type: string } }) =>
          part.type === 'start'
            ? { model: 'mock', usage: { input: 1 } }
            : part.type === 'finish'
              ? { usage: { output: 2 }, list: [1] }
              : part.type === 'text-end'
                ? { list: [1, 2] }
                : undefined,
      },
    }),
  },
  {
    name: 'data parts',
    status: 'completed',
    server: (version) => ({
      steps: [],
      answer: () =>
        write(version, [
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
    }),
  },
  {
    name: 'steps that are taken back, custom parts and steering',
    versions: [7],
    status: 'completed',
    server: (version) => ({
      steps: [],
      answer: () =>
        write(version, [
          { type: 'start', messageId: 'm1' },
          { type: 'start-step' },
          { type: 'text-start', id: 't' },
          { type: 'text-delta', id: 't', delta: 'Kept.' },
          { type: 'text-end', id: 't' },
          { type: 'custom', kind: 'openai.compaction', providerMetadata: { openai: { itemId: 'c1' } } },
          { type: 'text-start', id: 't' },
          { type: 'text-delta', id: 't', delta: 'Also kept.' },
          { type: 'text-end', id: 't' },
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
          { type: 'text-start', id: 't' },
          { type: 'text-delta', id: 't', delta: 'Said anew.' },
          { type: 'text-end', id: 't' },
          { type: 'data-plan', id: 'p', data: 2 },
          { type: 'tool-input-available', toolCallId: 'c', toolName: 'weather', input: { city: 'Rome' } },
          { type: 'tool-output-available', toolCallId: 'c', output: 'warm' },
          { type: 'finish-step' },
          { type: 'reasoning-file', url: 'data:image/png;base64,aGk=', mediaType: 'image/png' },
          { type: 'finish', finishReason: 'stop' },
        ]),
    }),
  },
  {
    name: 'an error of the provider in mid-text',
    status: 'failed',
    server: () => ({
      steps: [go(say('Let ').slice(0, 2), { type: 'error', error: new Error('Overloaded.') }, finish('error'))],
    }),
  },
  {
    name: 'a provider that refuses before it starts',
    status: 'failed',
    server: () => ({ steps: [new Error('No credit.')] }),
  },
  {
    name: 'an abort on the server',
    status: 'cancelled',
    server: (version) => ({
      steps: [],
      answer: () =>
        write(version, [
          { type: 'start', messageId: 'm1' },
          { type: 'start-step' },
          { type: 'text-start', id: 't' },
          { type: 'text-delta', id: 't', delta: 'Half' },
          { type: 'tool-input-start', toolCallId: 'c', toolName: 'weather' },
          { type: 'abort', ...(version > 5 && { reason: 'stopped' }) },
        ]),
    }),
  },
  {
    name: 'a model that says no end',
    status: 'failed',
    server: () => ({ steps: [go(say('Cut'))] }),
  },
  {
    name: 'an answer that grew too long',
    status: 'completed',
    server: () => ({ steps: [go(say('On and'), finish('length'))] }),
  },
  {
    name: 'a tool of the client',
    status: 'completed',
    server: () => ({
      steps: [
        go(say('I ask.'), call('ask', { city: 'Rome' }), finish('tool-calls')),
        go(say('Thank you.'), finish()),
      ],
    }),
    answers: [[{ tool: 'ask-1', decision: 'modified', data: { rating: 5 } }]],
  },
  {
    name: 'a tool of the client that is declined',
    status: 'completed',
    server: () => ({
      steps: [go(call('ask', { city: 'Rome' }), finish('tool-calls')), go(say('As you wish.'), finish())],
    }),
    answers: [[{ tool: 'ask-1', decision: 'rejected', data: 'Not now.' }]],
  },
  {
    name: 'an approval that is given',
    versions: withApprovals,
    status: 'completed',
    server: () => ({
      steps: [
        go(say('May I?'), call('deploy', { city: 'Rome' }), finish('tool-calls')),
        go(say('Done.'), finish()),
      ],
    }),
    answers: [[{ tool: 'deploy-1', decision: 'approved' }]],
  },
  {
    name: 'an approval that is denied',
    versions: withApprovals,
    status: 'completed',
    server: () => ({
      steps: [go(call('deploy', { city: 'Rome' }), finish('tool-calls')), go(say('I leave it.'), finish())],
    }),
    answers: [[{ tool: 'deploy-1', decision: 'rejected', data: { reason: 'Not on a Friday.' } }]],
  },
  {
    name: 'approvals of both kinds beside a tool that runs by itself, and another round',
    versions: withApprovals,
    status: 'completed',
    server: () => ({
      steps: [
        go(
          say('Three things.'),
          call('deploy', { city: 'Rome' }, 'a'),
          call('weather', { city: 'Oslo' }, 'b'),
          call('deploy', { city: 'Bern' }, 'c'),
          finish('tool-calls'),
        ),
        go(say('And one.'), call('deploy', { city: 'Kyiv' }, 'd'), finish('tool-calls')),
        go(say('All done.'), finish()),
      ],
    }),
    answers: [
      [
        { tool: 'a', decision: 'approved' },
        { tool: 'c', decision: 'rejected' },
      ],
      [{ tool: 'd', decision: 'approved' }],
    ],
  },
]

/** Each scenario with each version that knows what it is about. */
export const cases = scenarios.flatMap((scenario) =>
  (scenario.versions ?? versions).map((version) => [`v${version}: ${scenario.name}`, scenario, version] as const),
)

export const createServer = ({ server }: Scenario, version: Version) => createAiServer({ ...server(version), version })

/** Answers as the client's own addToolApprovalResponse and addToolOutput put them into its message. */
export function answerInMessage(message: AiSdkMessage, answers: readonly Answer[]): AiSdkMessage {
  return { ...message, parts: message.parts.map((part) => answerInPart(part, answers)) }
}

function answerInPart(part: AiSdkPart, answers: readonly Answer[]): AiSdkPart {
  const answer = answers.find(({ tool }) => tool === part.toolCallId)
  if (!answer) return part
  const { decision, data } = answer
  const isGranted = decision !== 'rejected'
  const reason = (data as { reason?: string } | undefined)?.reason
  if (part.approval) {
    const approval = { ...(part.approval as object), approved: isGranted, ...(reason !== undefined && { reason }) }
    return { ...part, state: 'approval-responded', approval }
  }
  return isGranted
    ? { ...part, state: 'output-available', output: data }
    : { ...part, state: 'output-error', errorText: data }
}
