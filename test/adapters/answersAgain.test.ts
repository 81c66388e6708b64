import type { AnyAgentProvider } from 'redux-agent'
import { createAgUiProvider } from 'redux-agent/adapters/ag-ui'
import { createAiSdkProvider } from 'redux-agent/adapters/ai-sdk'
import { createOpenAIResponsesProvider } from 'redux-agent/adapters/openai-responses'
import { expect, describe, it } from 'vitest'
import { createHarness, endOfTask, expectSilentConsole } from '../store/createHarness.ts'
import { finished, interrupted, said, started } from './agUi/runAgUi.ts'
import { createWire, json } from './openAI/createWire.ts'
import { asks, goesOn } from './openAIResponses/approvalScripts.ts'

expectSilentConsole()

// Several questions whose answers did not arrive, and are given again all at once: they go once.

const ids = ['a', 'b', 'c']

const wires: [string, (fetch: typeof globalThis.fetch) => AnyAgentProvider, unknown[], unknown[]][] = [
  [
    'ai-sdk',
    (fetch) => createAiSdkProvider({ fetch }),
    [
      { type: 'start', messageId: 'm' },
      { type: 'start-step' },
      ...ids.flatMap((id) => [
        { type: 'tool-input-available', toolCallId: `c${id}`, toolName: 'deploy', input: {} },
        { type: 'tool-approval-request', approvalId: id, toolCallId: `c${id}` },
      ]),
      { type: 'finish-step' },
      { type: 'finish', finishReason: 'tool-calls' },
    ],
    [
      { type: 'start', messageId: 'm' },
      ...ids.map((id) => ({ type: 'tool-output-available', toolCallId: `c${id}`, output: 'ok' })),
      { type: 'start-step' },
      { type: 'text-start', id: 't' },
      { type: 'text-delta', id: 't', delta: 'Done.' },
      { type: 'text-end', id: 't' },
      { type: 'finish-step' },
      { type: 'finish', finishReason: 'stop' },
    ],
  ],
  [
    'ag-ui',
    (fetch) => createAgUiProvider({ fetch, url: '/agent' }),
    [started(), interrupted(ids.map((id) => ({ id, reason: 'confirmation' })))],
    [started('r2'), ...said('m', 'Done.'), finished('r2')],
  ],
  ['openai-responses', (fetch) => createOpenAIResponsesProvider({ fetch }), [...asks(ids)], [...goesOn(ids)]],
]
const orders = [
  ['a', 'b', 'c'],
  ['c', 'b', 'a'],
  ['b', 'a', 'c'],
  ['b', 'c', 'a'],
]

describe.each(wires)('answers by %s that a busy server did not take', (_name, make, asking, goingOn) => {
  it.each(orders)('are sent once more, given in the order %s %s %s', async (...order) => {
    const { fetch, sent } = createWire(asking, json({}, 503), goingOn)
    const provider = make(fetch)
    const { store, agent, state } = createHarness({ providers: [provider], ids: ['r1'], frames: false })
    const rest = async () => {
      for (let turn = 0; turn < 25; turn += 1) await endOfTask()
    }
    await store.dispatch(agent.actions.startRun({ sessionId: 's1', provider, input: { message: 'Go' } })).unwrap()
    const answer = (approvalId: string) =>
      store
        .dispatch(agent.actions.resolveApproval({ runId: 'r1', approvalId, decision: 'approved' }))
        .unwrap()
        .then(() => approvalId, () => undefined)
    const first = await Promise.all(ids.map(answer))
    expect(first).toEqual(['a', 'b', undefined])
    expect(Object.values(state().approvals).map(({ status }) => status)).toEqual(['waiting', 'waiting', 'waiting'])
    const again = await Promise.all(order.map(answer))
    expect(again).not.toEqual([undefined, undefined, undefined])
    await rest()
    expect(sent).toHaveLength(3)
    expect(state().runs.r1?.status).toBe('completed')
    expect(state().issues).toEqual([])
    expect(Object.values(state().approvals).map(({ decision }) => decision)).toEqual(['approved', 'approved', 'approved'])
    const said = Object.values(state().messages).filter(({ role }) => role === 'assistant')
    expect(said.map(({ content }) => content).join('')).toBe('Done.')
  })
})
