import { AGENT_EVENT_PROTOCOL, AGENT_EVENT_PROTOCOL_VERSION } from '../protocol/agentEventProtocol.ts'
import { agentEventTypes } from '../protocol/agentEventTypes.ts'
import type { AgentCommand, AgentCommandType } from '../protocol/agentCommand.ts'
import type { AgentEvent } from '../protocol/agentEvent.ts'
import { createAgentEventFactory } from '../protocol/createAgentEventFactory.ts'
import type {
  AgentCommandOptions,
  AgentProvider,
  AgentProviderCapabilities,
  AgentProviderContextOptions,
} from '../provider/agentProvider.ts'
import { createAsyncIterableTransport } from '../transport/asyncIterable.ts'
import { playScript, type ScriptedChunk, type ScriptedEvents, type ScriptedStep } from './playScript.ts'

/** What a scripted provider does; a function makes the steps of each connection. */
export interface ScriptedProviderOptions<Input> {
  steps: readonly ScriptedStep[] | ((input: Input, run: { runId: string }) => readonly ScriptedStep[])
  id?: string | undefined
  /** Changes to the capabilities, which are all event types, the commands that have steps, and no resume. */
  capabilities?: Partial<AgentProviderCapabilities> | undefined
  start?: ScriptedEvents | undefined
  flush?: ScriptedEvents | undefined
  /** The events of an error; by default none. */
  transformError?: ((error: unknown, context: AgentProviderContextOptions) => readonly AgentEvent[]) | undefined
  classifyError?: ((error: unknown) => { retryable: boolean }) | undefined
  /** The steps of each command's answer. */
  commands?:
    | Partial<Record<AgentCommandType, readonly ScriptedStep[] | ((command: AgentCommand) => readonly ScriptedStep[])>>
    | undefined
}

/** A provider that plays a script, and what was asked of it. */
export interface ScriptedProvider<Input>
  extends AgentProvider<Input, { input: Input; runId: string }, ScriptedChunk, AgentProviderContextOptions> {
  readonly calls: {
    readonly starts: Input[]
    readonly opens: { input: Input; runId: string; signal: AbortSignal }[]
    readonly resumes: { input: Input; runId: string; cursor: string; signal: AbortSignal }[]
    readonly errors: unknown[]
    readonly commands: AgentCommand[]
  }
}

/**
 * Makes a provider that plays steps: events, gates and errors, each at its place, so that a test decides what arrives
 * and when.
 *
 * @example
 * const provider = createScriptedProvider({
 *   steps: [{ events: (events) => [events.create('run.started', {}), events.create('run.completed', {})] }],
 * })
 */
export function createScriptedProvider<Input = unknown>(
  options: ScriptedProviderOptions<Input>,
): ScriptedProvider<Input> {
  const { steps, commands } = options
  const calls: ScriptedProvider<Input>['calls'] = { starts: [], opens: [], resumes: [], errors: [], commands: [] }
  const stepsOf = (input: Input, runId: string) => (typeof steps === 'function' ? steps(input, { runId }) : steps)

  const transport = createAsyncIterableTransport<{ input: Input; runId: string }, ScriptedChunk>(
    ({ input, runId }, signal) => {
      calls.opens.push({ input, runId, signal })
      return playScript(stepsOf(input, runId), signal)
    },
    {
      getCursor: (chunk) => chunk.cursor,
      resume({ input, runId }, cursor, signal) {
        calls.resumes.push({ input, runId, cursor, signal })
        return playScript(stepsOf(input, runId), signal, cursor)
      },
    },
  )

  async function* answer(command: AgentCommand, execution: AgentCommandOptions) {
    const scripted = commands?.[command.type] ?? []
    const { sessionId, runId } = command
    const { initialSequence, now } = execution
    const events = createAgentEventFactory({ sessionId, runId, initialSequence, now })
    const played = playScript(typeof scripted === 'function' ? scripted(command) : scripted, execution.signal)
    for await (const chunk of played) yield* make(chunk.events, events)
  }

  return {
    id: options.id ?? 'scripted',
    protocol: { name: AGENT_EVENT_PROTOCOL, version: AGENT_EVENT_PROTOCOL_VERSION },
    capabilities: {
      eventTypes: agentEventTypes,
      transports: [transport.kind],
      commands: Object.keys(commands ?? {}) as AgentCommandType[],
      ...options.capabilities,
    },
    transport,
    calls,
    createContext: (context) => context,
    start(input, context) {
      calls.starts.push(input)
      return make(options.start, context.events)
    },
    prepareRequest: (input, { runId }) => ({ input, runId }),
    transformChunk: (chunk, context) => make(chunk.events, context.events),
    flush: (context) => make(options.flush, context.events),
    transformError(error, context) {
      calls.errors.push(error)
      return options.transformError?.(error, context) ?? []
    },
    ...(options.classifyError && { classifyError: options.classifyError }),
    executeCommand(command, execution) {
      calls.commands.push(command)
      return answer(command, execution)
    },
  }
}

function make(scripted: ScriptedEvents = [], events: AgentProviderContextOptions['events']): readonly AgentEvent[] {
  return typeof scripted === 'function' ? scripted(events) : scripted
}
