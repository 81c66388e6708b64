import type { AnyAgentProvider } from 'redux-agent'
import { createAgUiProvider } from 'redux-agent/adapters/ag-ui'
import { createAiSdkProvider } from 'redux-agent/adapters/ai-sdk'
import { createOpenAIResponsesProvider } from 'redux-agent/adapters/openai-responses'
import { finished, interrupted, said, started } from './agUi/runAgUi.ts'
import * as aiSdk from './aiSdk/chunks.ts'
import * as responses from './openAIResponses/approvalScripts.ts'

/** What all these wires ask. */
export const askedIds = ['a', 'b', 'c']

/** Providers that send the answers to several questions in one request: what the first stream asks, and how the next goes on. */
export const gatheringWires: [string, (fetch: typeof globalThis.fetch) => AnyAgentProvider, unknown[], unknown[]][] = [
  [
    'ai-sdk',
    (fetch) => createAiSdkProvider({ fetch }),
    [
      { type: 'start', messageId: 'm' },
      { type: 'start-step' },
      ...askedIds.flatMap((id) => [
        { type: 'tool-input-available', toolCallId: `c${id}`, toolName: 'deploy', input: {} },
        { type: 'tool-approval-request', approvalId: id, toolCallId: `c${id}` },
      ]),
      ...aiSdk.finished('tool-calls'),
    ],
    aiSdk.goesOn(askedIds.map((id) => `c${id}`), 'Done.'),
  ],
  [
    'ag-ui',
    (fetch) => createAgUiProvider({ fetch, url: '/agent' }),
    [started(), interrupted(askedIds.map((id) => ({ id, reason: 'confirmation' })))],
    [started('r2'), ...said('m', 'Done.'), finished('r2')],
  ],
  ['openai-responses', (fetch) => createOpenAIResponsesProvider({ fetch }), [...responses.asks(askedIds)], [...responses.goesOn(askedIds)]],
]
