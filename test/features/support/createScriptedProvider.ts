import type {
  AgentCommand,
  AgentCommandType,
  AgentEvent,
  AgentEventFactory,
  AgentEventPayloadMap,
  AgentEventType,
  AgentProvider,
} from 'redux-agent'
import { agentEventTypes } from 'redux-agent'

type Step = { events: readonly AgentEvent[] } | { end: true } | { error: unknown }

/** One run's wire, in the hands of the test. */
export interface Wire {
  readonly runId: string
  readonly input: unknown
  readonly signal: AbortSignal
  /** Sends one event, or several in one chunk. */
  send<Type extends AgentEventType>(type: Type, payload: AgentEventPayloadMap[Type]): void
  sendAll(make: (create: AgentEventFactory['create']) => readonly AgentEvent[]): void
  end(): void
  break(error: unknown): void
}

/** A provider whose runs say what the test makes them say. */
export interface ScriptedProvider {
  provider: AgentProvider<unknown, unknown, Step, AgentEventFactory>
  wires: Wire[]
  commands: AgentCommand[]
  /** Decides what becomes of a command; by default it is taken and nothing follows. */
  onCommand: (command: AgentCommand, create: AgentEventFactory['create']) => AsyncIterable<AgentEvent>
  /** Keeps commands under way until the function that it gives is called. */
  hold(): () => void
}

/** The answer of a runtime that took a command and says nothing about it, once `taken` has come. */
async function* answerNothing(taken?: Promise<void>): AsyncGenerator<AgentEvent> {
  await taken
  yield* []
}

export function createScriptedProvider(
  options: { id?: string; commands?: readonly AgentCommandType[] } = {},
): ScriptedProvider {
  const { id = 'scripted', commands = ['approval.resolve', 'tool.retry', 'run.cancel'] } = options
  const factories = new Map<string, AgentEventFactory>()
  const scripted: ScriptedProvider = {
    wires: [],
    commands: [],
    onCommand: () => answerNothing(),
    hold() {
      let release!: () => void
      const taken = new Promise<void>((resolve) => {
        release = resolve
      })
      scripted.onCommand = () => answerNothing(taken)
      return release
    },
    provider: {
      id,
      protocol: { name: 'agent-event', version: '0.1' },
      capabilities: { eventTypes: agentEventTypes, transports: ['async-iterable'], commands },
      transport: {
        kind: 'async-iterable',
        open(request, signal) {
          const { runId, input } = request as { runId: string; input: unknown }
          const channel = createChannel(signal)
          scripted.wires.push(createWire({ runId, input, signal, channel, events: factories.get(runId)! }))
          return channel.steps
        },
      },
      createContext({ events, runId }) {
        factories.set(runId, events)
        return Object.assign(events, { runId })
      },
      start: (input, events) => [events.create('run.started', { input })],
      prepareRequest: (input, events) => ({ input, runId: (events as AgentEventFactory & { runId: string }).runId }),
      transformChunk(step) {
        if ('error' in step) throw step.error
        return 'events' in step ? step.events : []
      },
      flush: () => [],
      transformError: (error, events) => [
        events.create('run.failed', { error: { message: error instanceof Error ? error.message : 'It broke.' } }),
      ],
      executeCommand(command) {
        scripted.commands.push(command)
        return scripted.onCommand(command, factories.get(command.runId)!.create)
      },
    },
  }
  return scripted
}

function createChannel(signal: AbortSignal) {
  const waiting: Step[] = []
  let wake: (() => void) | undefined
  signal.addEventListener('abort', () => wake?.())
  async function* steps() {
    while (!signal.aborted) {
      const step = waiting.shift()
      if (!step) {
        // The next step is the test's to take: nothing here goes by the clock.
        // eslint-disable-next-line no-await-in-loop
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      } else if ('end' in step) return
      else yield step
    }
  }
  return {
    steps: steps(),
    push(step: Step) {
      waiting.push(step)
      wake?.()
    },
  }
}

function createWire(options: {
  runId: string
  input: unknown
  signal: AbortSignal
  events: AgentEventFactory
  channel: ReturnType<typeof createChannel>
}): Wire {
  const { events, channel, ...rest } = options
  return {
    ...rest,
    // A type of the union makes an event of the union, which the generic does not see.
    send: (type, payload) => channel.push({ events: [events.create(type, payload) as AgentEvent] }),
    sendAll: (make) => channel.push({ events: make(events.create) }),
    end: () => channel.push({ end: true }),
    break: (error) => channel.push({ error }),
  }
}
