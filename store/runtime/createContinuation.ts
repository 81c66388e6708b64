import type { AgentCommand } from '../../src/protocol/agentCommand.ts'
import type { AgentEvent } from '../../src/protocol/agentEvent.ts'
import { createAgentEventFactory } from '../../src/protocol/createAgentEventFactory.ts'
import { assertSynchronous } from '../../src/provider/assertSynchronous.ts'
import { closeIterator } from '../../src/provider/closeIterator.ts'
import { followSignal } from '../../src/provider/followSignal.ts'
import type {
  AgentCommandOptions,
  AgentProvider,
  AgentProviderContextOptions,
  AnyAgentProvider,
} from '../../src/provider/agentProvider.ts'

/** A command's answer that goes on as the run's wire: up to its first event it is the command's, then the run's. */
export interface Continuation {
  /** Answers a command by the first event alone, and opens a run's wire with all that comes after it. */
  readonly provider: AnyAgentProvider
  /** Closes the wire. */
  readonly controller: AbortController
  /** Whether the answer has begun, so that there may be more of it. */
  isOpen(): boolean
  /** Closes an answer that is open. */
  close(): void
}

/** Parts the answer of a provider that answers a parked run with the rest of it (design, section 6). */
export function createContinuation(
  provider: AnyAgentProvider,
  /** Gives the run's last sequence. */
  getLastSequence: () => number,
): Continuation {
  const controller = new AbortController()
  const { id, protocol, capabilities, transport } = provider
  let rest: AsyncIterator<AgentEvent> | undefined
  let context: unknown
  let isMade = false

  function part(iterator: AsyncIterator<AgentEvent>): AsyncIterable<AgentEvent> {
    async function next(): Promise<IteratorResult<AgentEvent>> {
      if (rest) return { done: true, value: undefined }
      const result = await iterator.next()
      if (!result.done) rest = iterator
      return result
    }
    return { [Symbol.asyncIterator]: () => ({ next, return: () => iterator.return?.() as never }) }
  }

  // Made when it is needed, so that the provider's own events are numbered after all that came.
  function contextOf(options: AgentProviderContextOptions): unknown {
    if (isMade) return context
    const run = { ...options, initialSequence: getLastSequence() }
    const made: unknown = provider.createContext({ ...run, events: createAgentEventFactory(run) })
    assertSynchronous(provider, 'createContext', made)
    context = made
    isMade = true
    return context
  }

  const parted: AgentProvider<unknown, undefined, AgentEvent, AgentProviderContextOptions> = {
    id,
    protocol,
    capabilities,
    transport: { kind: transport.kind, open: () => ({ [Symbol.asyncIterator]: () => rest! }) },
    createContext: (options) => options,
    start: () => [],
    prepareRequest: () => undefined,
    transformChunk: (event) => [event],
    flush: () => [],
    transformError: (error, options) => provider.transformError(error, contextOf(options)),
    ...(provider.classifyError && {
      classifyError: (error: unknown, options: AgentProviderContextOptions) =>
        provider.classifyError!(error, contextOf(options)),
    }),
    ...(provider.executeCommand && {
      executeCommand(command: AgentCommand, options: AgentCommandOptions) {
        // The answer outlives its command, hence ends with both: an abort of the command, or of the run's wire.
        const { signal } = options
        const wire = followSignal(controller.signal).controller
        signal.addEventListener('abort', () => wire.abort(signal.reason), { once: true })
        const answer = provider.executeCommand!(command, { ...options, signal: wire.signal })
        // What is no stream of events is for the reader to tell.
        return typeof answer?.[Symbol.asyncIterator] === 'function' ? part(answer[Symbol.asyncIterator]()) : answer
      },
    }),
  }
  return {
    provider: parted,
    controller,
    isOpen: () => rest !== undefined,
    close() {
      controller.abort()
      closeIterator(rest!)
    },
  }
}
