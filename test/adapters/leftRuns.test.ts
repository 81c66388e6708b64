import {
  createAgentCommandFactory,
  createAgentEventFactory,
  replayAgentEvents,
  runAgentCommand,
  type AgentCommand,
  type AgentState,
  type AnyAgentProvider,
} from 'redux-agent'
import { createAgUiProvider } from 'redux-agent/adapters/ag-ui'
import { createAiSdkProvider } from 'redux-agent/adapters/ai-sdk'
import { createOpenAIResponsesProvider } from 'redux-agent/adapters/openai-responses'
import { describe, expect, it } from 'vitest'

// Answers that wait for the others of their run are kept beside the state, for as many runs as a page has.

type Meta = (approvalId: string) => Record<string, unknown>

const wires: [string, (fetch: typeof globalThis.fetch) => AnyAgentProvider, Meta][] = [
  ['ai-sdk', (fetch) => createAiSdkProvider({ fetch, getStopUrl: () => '/stop' }), () => ({ aiSdk: { step: 1, part: 1 } })],
  [
    'ag-ui',
    (fetch) => createAgUiProvider({ fetch, url: '/agent', stop: () => ({ url: '/stop' }) }),
    (interruptId) => ({ agUi: { kind: 'interrupt', interruptId } }),
  ],
  [
    'openai-responses',
    (fetch) => createOpenAIResponsesProvider({ fetch, background: true }),
    () => ({ openai: { responseId: 'resp', item: { type: 'mcp_approval_request' }, handed: [] } }),
  ],
]

describe.each(wires)('runs that are left unanswered, by %s', (_name, make, metaOf) => {
  /** A run that asks two things. */
  function parked(runId: string): AgentState {
    const events = createAgentEventFactory({ sessionId: 's1', runId, now: () => 1000 })
    const task = { openai: { responseId: 'resp' } }
    return replayAgentEvents([
      events.create('run.started', {}),
      events.create('task.created', { taskId: 'resp', title: 'x' }, { meta: task }),
      ...['a', 'b'].flatMap((id) => [
        events.create('tool.requested', { toolCallId: id, name: 'deploy' }),
        events.create('approval.requested', { approvalId: id, toolCallId: id }, { meta: metaOf(id) }),
      ]),
    ])
  }

  function create(answer: () => Response = () => new Response(null, { status: 503 })) {
    let sent = 0
    const provider = make(async () => {
      sent += 1
      return answer()
    })
    const commandsOf = (runId: string) => createAgentCommandFactory({ sessionId: 's1', runId, now: () => 1000 })
    const execute = (runId: string, command: AgentCommand) => {
      const options = { initialSequence: 6, getAgentState: () => parked(runId), onEvent: () => undefined }
      return runAgentCommand({ provider, command, ...options }).catch(() => undefined)
    }
    return {
      count: () => sent,
      answer: (runId: string, approvalId: string) =>
        execute(runId, commandsOf(runId).create('approval.resolve', { approvalId, decision: 'approved' })),
      cancel: (runId: string) => execute(runId, commandsOf(runId).create('run.cancel', {})),
    }
  }

  it('are forgotten, the oldest first, where a hundred later ones are left as well', async () => {
    const page = create()
    for (let run = 0; run <= 100; run += 1) await page.answer(`r${run}`, 'a')
    expect(page.count()).toBe(0)
    await page.answer('r100', 'b')
    expect(page.count()).toBe(1)
    // As after a reload: both are given again.
    await page.answer('r0', 'b')
    expect(page.count()).toBe(1)
    await page.answer('r0', 'a')
    expect(page.count()).toBe(2)
  })

  it('are forgotten once they are cancelled', async () => {
    const page = create(() => Response.json({ status: 'cancelled' }))
    await page.answer('r1', 'a')
    await page.cancel('r1')
    expect(page.count()).toBe(1)
    await page.answer('r1', 'b')
    expect(page.count()).toBe(1)
  })
})
