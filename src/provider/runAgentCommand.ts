import { AgentModuleError } from '../agentModuleError.ts'
import type { AgentCommand } from '../protocol/agentCommand.ts'
import type { AgentEvent } from '../protocol/agentEvent.ts'
import { isAgentCommand } from '../protocol/isAgentCommand.ts'
import { AgentCommandRunnerError } from './agentCommandRunnerError.ts'
import type { AgentCommandOptions, AnyAgentProvider } from './agentProvider.ts'
import { checkCursor } from './checkCursor.ts'
import { checkProviderProtocol } from './checkProviderProtocol.ts'
import { callProvider } from './callProvider.ts'
import { consumeStream } from './consumeStream.ts'
import { ProviderFailure } from './providerFailure.ts'
import { createEventCheck } from './createEventCheck.ts'
import { followSignal } from './followSignal.ts'
import { isThenable } from './isThenable.ts'

/** What `runAgentCommand` takes. */
export interface RunAgentCommandOptions {
  provider: AnyAgentProvider
  command: AgentCommand
  signal?: AbortSignal | undefined
  /** The run's last sequence when the command was made; the first event must come after it, unless it is dense. */
  initialSequence: number
  /** The clock for the provider, in milliseconds. */
  now?: (() => number) | undefined
  getAgentState?: AgentCommandOptions['getAgentState']
  /** Asked after each event, or each batch of so many: a promise holds the reading up until the host had its turn. */
  pause?: ((events: number) => Promise<void> | undefined) | undefined
  onEvent: (event: AgentEvent) => void
  /** Gets the cursor after the events that were handed over so far. */
  onCursor?: AgentCommandOptions['onCursor']
  getWireState?: AgentCommandOptions['getWireState']
  isTaken?: AgentCommandOptions['isTaken']
}

/**
 * Sends one command and hands over the events of its answer, each one checked (RFC, section 9.3); it resolves when the
 * answer ends, which says nothing about what the command was about. A dense provider's event at or below
 * `initialSequence` is handed over as well, to be absorbed where it is known.
 *
 * @throws AgentCommandRunnerError where the command is invalid, the provider cannot run it or breaks the protocol; the
 * provider's and the consumer's errors, as they are; an error named AbortError after an abort.
 * @example
 * await runAgentCommand({ provider, command, initialSequence: state.lastSequenceByRun[runId] ?? -1, onEvent })
 */
export async function runAgentCommand(options: RunAgentCommandOptions): Promise<void> {
  checkCommand(options)
  const { provider, command, initialSequence, now, getAgentState, getWireState, isTaken, onEvent } = options
  const { controller, release } = followSignal(options.signal)
  const { signal } = controller
  const { sessionId, runId } = command
  const check = createEventCheck({ provider, sessionId, runId, known: initialSequence })
  const onCursor = options.onCursor && takeCursor
  let ended = false

  function takeCursor(cursor: string): void {
    if (signal.aborted) return
    const fault = checkCursor(provider, cursor)
    if (fault !== undefined) throw new AgentCommandRunnerError('protocol_error', fault)
    options.onCursor?.(cursor)
  }

  try {
    ended = await consumeStream({
      signal,
      pause: options.pause,
      open: () =>
        executeCommand(provider, command, { signal, initialSequence, now, getAgentState, onCursor, getWireState, isTaken }),
      onValue(event) {
        const fault = check(event)
        if (fault) throw new AgentCommandRunnerError('protocol_error', fault.message)
        onEvent(event)
      },
    })
  } catch (thrown) {
    if (!(thrown instanceof ProviderFailure)) throw thrown
    if (!signal.aborted) throw thrown.error
  } finally {
    release()
    if (!ended) controller.abort()
  }
  if (!ended) {
    throw new AgentModuleError({
      name: 'AbortError',
      code: 'aborted',
      message: `Command "${command.type}" was aborted before its answer ended; what became of it is not known.`,
      cause: signal.reason,
    })
  }
}

function executeCommand(
  provider: AnyAgentProvider,
  command: AgentCommand,
  options: AgentCommandOptions,
): AsyncIterable<AgentEvent> {
  const answer: unknown = callProvider(() => provider.executeCommand!(command, options))
  if (isIterable(answer)) return answer
  const advice = isThenable(answer) ? ': it returned a promise; make executeCommand an async generator function' : ''
  throw new AgentCommandRunnerError(
    'protocol_error',
    `Provider "${provider.id}" did not answer command "${command.type}" with an async iterable of events${advice}.`,
  )
}

const isIterable = (value: unknown): value is AsyncIterable<AgentEvent> =>
  typeof (value as Partial<AsyncIterable<AgentEvent>> | null | undefined)?.[Symbol.asyncIterator] === 'function'

function checkCommand({ provider, command }: RunAgentCommandOptions): void {
  const { id, capabilities } = provider
  if (!isAgentCommand(command)) {
    throw new AgentCommandRunnerError('invalid_command', `Provider "${id}" was given an invalid command.`)
  }
  const fault = checkProviderProtocol(provider)
  if (fault !== undefined) throw new AgentCommandRunnerError('protocol_error', fault)
  const { type } = command
  if (!Array.isArray(capabilities.commands) || !capabilities.commands.includes(type)) {
    throw new AgentCommandRunnerError('unsupported_capability', `Provider "${id}" does not support command "${type}".`)
  }
  if (typeof provider.executeCommand !== 'function') {
    throw new AgentCommandRunnerError(
      'unsupported_capability',
      `Provider "${id}" does not support command "${type}": it declares it, but has no executeCommand.`,
    )
  }
}
