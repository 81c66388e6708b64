import {
  AgentTransportError,
  agentEventTypes,
  type AgentCommand,
  type AgentEvent,
  type AgentProvider,
  type AgentProviderCapabilities,
} from 'redux-agent'
import { createGate, type Gate } from 'redux-agent/testing'
import { createRun } from './createRunEvents.ts'

/** What a model server does next: it says something, asks a person, or fails at a tool until it is told to retry. */
export type Block = 'say' | 'ask' | 'fail'

interface Chunk {
  events: readonly AgentEvent[]
}
interface Wire {
  readonly signal: AbortSignal
  /** Where in the log it goes on. */
  next: number
  push(chunk: Chunk | 'cut'): void
}
/** A command's answer, which comes piece by piece as the test says. */
interface Answer {
  readonly command: AgentCommand
  /** Where the request is held, then the response. */
  readonly gates: Gate[]
  readonly signal: AbortSignal
  isLost: boolean
}

/**
 * A run server in a nutshell: one run's log, dense from 1 on, which goes on only as persons decide, once for every
 * idempotency key. Wires and answers bring of it what the test lets through, again and again if need be.
 */
export function createModelServer(blocks: readonly Block[]) {
  const run = createRun('r1')
  const log: AgentEvent[] = []
  const rest = [...blocks]
  const wires: Wire[] = []
  const answers: Answer[] = []
  const granted = new Map<string, readonly AgentEvent[]>()
  const sent: AgentCommand[] = []
  let holding: { kind: 'approval' | 'tool'; id: string } | undefined
  const decisions = new Map<string, { decision: 'approved' | 'rejected' | 'modified'; event: AgentEvent }>()
  let names = 0
  let isOver = false

  function tell(...events: readonly AgentEvent[]): readonly AgentEvent[] {
    log.push(...events)
    return events
  }

  function end(type: 'run.completed' | 'run.cancelled') {
    isOver = true
    holding = undefined
    return tell(type === 'run.completed' ? run.create(type, {}) : run.create(type, { reason: 'enough' }))
  }

  /** Does what comes next, unless a person is waited for. */
  function advance() {
    if (isOver || holding) return
    if (log.length === 0) tell(run.create('run.started', {}))
    const block = rest.shift()
    if (block === undefined) return void end('run.completed')
    const id = `x${(names += 1)}`
    if (block === 'say') {
      tell(
        run.create('message.started', { messageId: id, role: 'assistant' }),
        run.create('message.delta', { messageId: id, delta: 'a' }),
        run.create('message.delta', { messageId: id, delta: 'b' }),
        run.create('message.completed', { messageId: id }),
      )
    } else if (block === 'ask') {
      holding = { kind: 'approval', id }
      tell(run.create('approval.requested', { approvalId: id }))
    } else {
      holding = { kind: 'tool', id }
      tell(
        run.create('tool.requested', { toolCallId: id, name: 'look' }),
        run.create('tool.failed', { toolCallId: id, error: { message: 'Busy.', retryable: true } }),
      )
    }
  }

  /** Decides as a person does, here or elsewhere. */
  function decide(id: string, decision: 'approved' | 'rejected' | 'modified'): readonly AgentEvent[] {
    holding = undefined
    const events = tell(run.create('approval.resolved', { approvalId: id, decision }))
    decisions.set(id, { decision, event: events[0]! })
    return events
  }

  function grant({ type, payload }: AgentCommand): readonly AgentEvent[] {
    if (isOver) throw new Conflict([log.at(-1)!])
    if (type === 'run.cancel') return end('run.cancelled')
    if (type === 'tool.retry') {
      if (holding?.id !== payload.toolCallId) throw new Conflict([])
      holding = undefined
      const id = `${payload.toolCallId}again`
      return tell(
        run.create('tool.requested', { toolCallId: id, name: 'look', attempt: 2, retryOf: payload.toolCallId }),
        run.create('tool.completed', { toolCallId: id }),
      )
    }
    const standing = decisions.get(payload.approvalId)
    if (standing) throw new Conflict([standing.event], standing.decision)
    return decide(payload.approvalId, payload.decision)
  }

  async function* answer(command: AgentCommand, signal: AbortSignal): AsyncGenerator<AgentEvent> {
    const [request, response] = [createGate(), createGate()]
    const entry: Answer = { command, gates: [request, response], signal, isLost: false }
    answers.push(entry)
    await request.pass(signal)
    let conflict: Conflict | undefined
    let events = granted.get(command.idempotencyKey)
    try {
      events ??= grant(command)
      granted.set(command.idempotencyKey, events)
    } catch (error) {
      conflict = error as Conflict
      events = conflict.events
    }
    await response.pass(signal)
    if (entry.isLost) throw new AgentTransportError('network', 'Lost.', { retryable: true })
    // An answer may go back a little, and on: what it brings besides its own is in the log as well.
    const first = events[0]
    if (first) yield* log.slice(Math.max(0, first.sequence - 3), first.sequence + 2)
    if (conflict) throw conflict
  }

  function open(signal: AbortSignal, next: number): AsyncIterable<Chunk> {
    const waiting: (Chunk | 'cut')[] = []
    let wake = () => {}
    const wire: Wire = {
      signal,
      next,
      push(chunk) {
        waiting.push(chunk)
        wake()
      },
    }
    wires.push(wire)
    async function* read() {
      while (!signal.aborted) {
        const chunk = waiting.shift()
        if (chunk === 'cut') throw new AgentTransportError('network', 'Cut.', { retryable: true })
        if (chunk) {
          yield chunk
          if (!chunk.events.some(({ type }) => type === 'run.completed' || type === 'run.cancelled')) continue
          wires.splice(wires.indexOf(wire), 1)
          return
        } else await new Promise<void>((resolve) => (wake = resolve))
      }
    }
    signal.addEventListener('abort', () => wake())
    return read()
  }

  const capabilities: AgentProviderCapabilities = {
    eventTypes: agentEventTypes,
    transports: ['async-iterable'],
    commands: ['approval.resolve', 'tool.retry', 'run.cancel'],
    resumable: true,
    sequence: 'dense',
  }
  const provider: AgentProvider<unknown, undefined, Chunk, undefined> = {
    id: 'model',
    protocol: { name: 'agent-event', version: '0.1' },
    capabilities,
    transport: {
      kind: 'async-iterable',
      open: (_request, signal) => open(signal, 0),
      resume: (_request, cursor, signal) => open(signal, Number(cursor)),
      getCursor: ({ events }) => (events.length > 0 ? String(events.at(-1)!.sequence) : undefined),
    },
    createContext: () => undefined,
    start: () => [],
    prepareRequest: () => undefined,
    transformChunk: ({ events }) => events,
    flush: () => [],
    transformError: () => [],
    classifyError: (error) => ({ retryable: error instanceof AgentTransportError && error.retryable }),
    executeCommand(command, { signal }) {
      sent.push(command)
      return answer(command, signal)
    },
  }

  return {
    provider,
    log,
    sent,
    advance,
    isOver: () => isOver,
    outcome: () => (log.at(-1)?.type === 'run.cancelled' ? 'cancelled' : 'completed'),
    /** How many wires were asked for. */
    opened: () => wires.length,
    /** The commands that wait for their answer. */
    underWay: () => answers.filter(({ signal }) => !signal.aborted).map(({ command }) => command),
    /** Brings the open wire so many events more, going back by some. */
    deliver(count: number, back = 0) {
      const wire = wires.filter(({ signal }) => !signal.aborted).at(-1)
      if (!wire) return
      const from = Math.max(0, wire.next - back)
      const events = log.slice(from, wire.next + count)
      wire.next = Math.max(wire.next, from + events.length)
      if (events.length > 0) wire.push({ events })
    },
    countOpenWires: () => wires.filter(({ signal }) => !signal.aborted).length,
    /** Cuts the open wire. */
    cut() {
      const wire = wires.filter(({ signal }) => !signal.aborted).at(-1)
      if (!wire) return
      wires.splice(wires.indexOf(wire), 1)
      wire.push('cut')
    },
    /** Lets the oldest answer go one gate on; says whether there was one. */
    answer(isLost = false): boolean {
      const entry = answers[0]
      if (!entry) return false
      const gate = entry.gates.shift()!
      if (entry.gates.length === 0) answers.shift()
      entry.isLost ||= isLost
      gate.open()
      return true
    },
    /** Another person decides what is asked. */
    decideElsewhere(decision: 'approved' | 'rejected') {
      if (holding?.kind === 'approval') decide(holding.id, decision)
      else if (holding) {
        holding = undefined
        tell(run.create('task.created', { taskId: `t${log.length}`, title: 'Gone on without it' }))
      }
    },
  }
}

/** The server's refusal, with what stands. */
class Conflict extends Error {
  readonly code = 'conflict'
  readonly retryable = false
  readonly events: readonly AgentEvent[]
  readonly decision: string | undefined

  constructor(events: readonly AgentEvent[], decision?: string) {
    super('Someone was faster.')
    this.events = events
    this.decision = decision
  }
}
