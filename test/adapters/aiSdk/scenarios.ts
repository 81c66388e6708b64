import type { AiSdkMessage, AiSdkPart } from 'redux-agent/adapters/ai-sdk'
import {
  call,
  createAiServer,
  finish,
  say,
  versions,
  type ModelPart,
  type Version,
} from './createAiServer.ts'
import type { Answer, Scenario } from './scenario.ts'
import { writtenScenarios } from './writtenScenarios.ts'

const withApprovals: readonly Version[] = [6, 7]
const go = (...parts: (ModelPart | ModelPart[])[]) => parts.flat()
const signature = { anthropic: { signature: 'c2ln' } }

const scenarios: readonly Scenario[] = [
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
  ...writtenScenarios,
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
