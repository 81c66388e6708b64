import {
  createAgentRuntime,
  createAgentStore,
  isAgentProvider,
  runAgentCommand,
  runAgentProvider,
  type AgentCommand,
  type AgentEvent,
  type AgentEventFactory,
  type AgentProvider,
  type AgentProviderContextOptions,
  type AgentTransport,
  type AgentTransportKind,
  type AnyAgentProvider,
} from 'redux-agent'
import { describe, expectTypeOf, it } from 'vitest'

interface Input {
  query: string
}
interface Request {
  url: string
  body: string
}
type Chunk = { kind: 'text'; text: string } | { kind: 'end' }
interface Context {
  events: AgentEventFactory
  messageId: string
}

// Written as `@ant-design/x-sdk` has its providers written: a factory with its own precise types.
function createSearchProvider(options: { baseUrl: string }): AgentProvider<Input, Request, Chunk, Context> {
  return {
    id: 'search',
    protocol: { name: 'agent-event', version: '0.1' },
    capabilities: { eventTypes: ['run.started', 'run.completed'], transports: ['sse'] },
    transport: {
      kind: 'sse',
      async *open(request, signal) {
        expectTypeOf(request).toEqualTypeOf<Request>()
        expectTypeOf(signal).toEqualTypeOf<AbortSignal>()
        yield { kind: 'end' }
      },
    },
    createContext: ({ events, runId }) => ({ events, messageId: `${runId}:message` }),
    start: (input, { events }) => [events.create('run.started', { input: input.query })],
    prepareRequest: (input) => ({ url: options.baseUrl, body: input.query }),
    transformChunk(chunk, { events, messageId }) {
      return chunk.kind === 'text' ? [events.create('message.delta', { messageId, delta: chunk.text })] : []
    },
    flush: ({ events }) => [events.create('run.completed', {})],
    transformError: (error, { events }) => [events.create('run.failed', { error: { message: String(error) } })],
  }
}

describe('a provider', () => {
  const provider = createSearchProvider({ baseUrl: '/' })

  it('is taken with its precise types by the runner', () => {
    const run = { sessionId: 's', runId: 'r' }
    void runAgentProvider({
      provider,
      input: { query: '' },
      run,
      onEvent: (event) => expectTypeOf(event).toEqualTypeOf<AgentEvent>(),
    })
    // @ts-expect-error the input is the provider's own
    void runAgentProvider({ provider, input: { text: '' }, run, onEvent: () => undefined })
  })

  it('is taken by a runtime, whatever its types', () => {
    expectTypeOf(provider).toExtend<AnyAgentProvider>()
    createAgentRuntime({ providers: [provider] })
    createAgentRuntime().actions.startRun({ sessionId: 's', provider, input: { query: '' } })
    // @ts-expect-error an object that is no provider
    createAgentRuntime({ providers: [{ id: 'x' }] })
  })

  it('has its parts typed by its four types', () => {
    type Provider = AgentProvider<Input, Request, Chunk, Context>
    expectTypeOf<Parameters<Provider['prepareRequest']>>().toEqualTypeOf<[input: Input, context: Context]>()
    expectTypeOf<ReturnType<Provider['prepareRequest']>>().toEqualTypeOf<Request>()
    expectTypeOf<Provider['transport']>().toEqualTypeOf<AgentTransport<Request, Chunk>>()
    expectTypeOf<Parameters<Provider['createContext']>[0]>().toEqualTypeOf<AgentProviderContextOptions>()
    expectTypeOf<Parameters<NonNullable<Provider['executeCommand']>>[0]>().toEqualTypeOf<AgentCommand>()
    expectTypeOf<AgentProvider<Input, Request, Chunk>['createContext']>().returns.toBeUnknown()
  })

  it('declares types and transports that exist', () => {
    expectTypeOf<'sse' | 'acme.pigeon'>().toExtend<AgentTransportKind>()
    // @ts-expect-error no such event type
    void ({ eventTypes: ['run.waiting'], transports: [] } satisfies AnyAgentProvider['capabilities'])
    // @ts-expect-error a transport of one's own is named vendor.kind
    void ({ eventTypes: [], transports: ['carrier'] } satisfies AnyAgentProvider['capabilities'])
    void ({ eventTypes: [], transports: ['acme.pigeon'] } satisfies AnyAgentProvider['capabilities'])
  })

  it('is told from other values', () => {
    const value: unknown = provider
    expectTypeOf(isAgentProvider).returns.toEqualTypeOf<boolean>()
    if (isAgentProvider(value)) expectTypeOf(value).toEqualTypeOf<AgentProvider<unknown, unknown, unknown>>()
  })

  it('gives runners and stores whose results hold no any', () => {
    expectTypeOf(runAgentCommand).returns.resolves.toBeVoid()
    expectTypeOf(createAgentStore().getSnapshot()).not.toBeAny()
  })
})
