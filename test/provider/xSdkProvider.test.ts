import {
  createAgentEventFactory,
  replayAgentEvents,
  runAgentProvider,
  type AgentEvent,
  type AgentEventFactory,
} from 'redux-agent'
import { validateAgentProviderEvents } from 'redux-agent/testing'
import { describe, expect, it } from 'vitest'

interface ChatRequest {
  prompt: string
}
interface ChatChunk {
  text?: string
  tool?: { id: string; name: string; result?: unknown }
}
interface ChatContext {
  events: AgentEventFactory
  messageId: string
}

// As its author writes it for @ant-design/x-sdk: a class with a context of its own, and nothing that is newer than the
// first phase of the contract.
class SupportProvider {
  readonly id = 'support'
  readonly protocol = { name: 'agent-event', version: '0.1' } as const
  readonly capabilities = {
    eventTypes: [
      'run.started',
      'run.completed',
      'run.failed',
      'message.started',
      'message.delta',
      'message.completed',
      'message.failed',
      'tool.requested',
      'tool.running',
      'tool.completed',
    ],
    transports: ['async-iterable'],
  } as const
  readonly transport
  private readonly chunks: readonly ChatChunk[]

  constructor(chunks: readonly ChatChunk[], failure?: Error) {
    this.chunks = chunks
    const read = async function* (this: SupportProvider, _request: ChatRequest, signal: AbortSignal) {
      for (const chunk of this.chunks) {
        if (signal.aborted) return
        yield chunk
      }
      if (failure) throw failure
    }
    this.transport = { kind: 'async-iterable', open: read.bind(this) } as const
  }

  createContext({ events, runId }: { events: AgentEventFactory; runId: string }): ChatContext {
    return { events, messageId: `${runId}-answer` }
  }

  start(input: string, { events, messageId }: ChatContext): AgentEvent[] {
    return [events.create('run.started', { input }), events.create('message.started', { messageId, role: 'assistant' })]
  }

  prepareRequest(prompt: string): ChatRequest {
    return { prompt }
  }

  transformChunk({ text, tool }: ChatChunk, { events, messageId }: ChatContext): AgentEvent[] {
    if (text !== undefined) return [events.create('message.delta', { messageId, delta: text })]
    if (!tool) return []
    return [
      events.create('tool.requested', { toolCallId: tool.id, name: tool.name }),
      events.create('tool.running', { toolCallId: tool.id }),
      events.create('tool.completed', { toolCallId: tool.id, result: tool.result }),
    ]
  }

  flush({ events, messageId }: ChatContext): AgentEvent[] {
    return [events.create('message.completed', { messageId }), events.create('run.completed', {})]
  }

  transformError(failure: unknown, { events, messageId }: ChatContext): AgentEvent[] {
    const error = { message: failure instanceof Error ? failure.message : 'unknown' }
    return [events.create('message.failed', { messageId, error }), events.create('run.failed', { error })]
  }
}

const chunks = [{ text: 'Hel' }, {}, { tool: { id: 't1', name: 'search', result: { hits: 2 } } }, { text: 'lo' }]

async function collect(provider: SupportProvider) {
  const events: AgentEvent[] = []
  const run = { sessionId: 's1', runId: 'r1', now: () => 1000 }
  await runAgentProvider({ provider, input: 'Hi', run, onEvent: (event) => events.push(event) })
  return events
}

describe('a provider written for @ant-design/x-sdk', () => {
  it('runs unchanged', async () => {
    const provider = new SupportProvider(chunks)
    const events = await collect(provider)
    const state = replayAgentEvents(events)
    expect(validateAgentProviderEvents(provider.capabilities, events)).toEqual([])
    expect(state.runs['r1']!.status).toBe('completed')
    expect(Object.values(state.messages)).toMatchObject([{ id: 'r1-answer', content: 'Hello', status: 'completed' }])
    expect(Object.values(state.toolCalls)).toMatchObject([{ id: 't1', status: 'completed', result: { hits: 2 } }])
  })

  it('fails by its own transformError', async () => {
    const provider = new SupportProvider(chunks, new Error('The line is dead.'))
    const events = await collect(provider)
    expect(validateAgentProviderEvents(provider.capabilities, events)).toEqual([])
    expect(events.at(-1)).toMatchObject({ type: 'run.failed', payload: { error: { message: 'The line is dead.' } } })
  })

  it('makes its events by the factory it would make them by itself', async () => {
    const events = await collect(new SupportProvider([]))
    const own = createAgentEventFactory({ sessionId: 's1', runId: 'r1', now: () => 1000 })
    expect(events[0]).toEqual(own.create('run.started', { input: 'Hi' }))
  })
})
