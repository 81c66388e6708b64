import {
  AgentCommandRunnerError,
  agentEventTypes,
  createAgentCommandFactory,
  runAgentCommand,
  type AgentEvent,
} from 'redux-agent'
import { createGate, createScriptedProvider } from 'redux-agent/testing'
import { describe, expect, it, vi } from 'vitest'
import { codeOf, countListeners, createListProvider, makeEvents, run, type ListProvider } from './fixtures.ts'

const commands = createAgentCommandFactory(run)
const cancel = commands.create('run.cancel', {})
const capabilities = {
  eventTypes: agentEventTypes,
  transports: ['async-iterable' as const],
  commands: ['run.cancel' as const],
}

/** A provider that answers each command with these events. */
const answering = (events: readonly unknown[], changes: Partial<ListProvider> = {}) =>
  createListProvider([], {
    capabilities,
    executeCommand: async function* () {
      yield* events as AgentEvent[]
    },
    ...changes,
  })

async function collect(provider: ListProvider, options: Partial<Parameters<typeof runAgentCommand>[0]> = {}) {
  const events: AgentEvent[] = []
  await runAgentCommand({
    provider,
    command: cancel,
    initialSequence: 4,
    onEvent: (event) => events.push(event),
    ...options,
  })
  return events
}

describe('a command', () => {
  it('hands the events of its answer over, and resolves when the answer ends', async () => {
    const answer = [makeEvents(4).create('run.cancelled', {}), makeEvents(9).create('session.started', {})]
    expect(await collect(answering(answer))).toEqual(answer)
    expect(await collect(answering([]))).toEqual([])
  })

  it('is given to the provider with a signal of its own, the last sequence and the clock', async () => {
    const controller = new AbortController()
    const listeners = countListeners(controller.signal)
    const now = () => 5
    const executeCommand = vi.fn<NonNullable<ListProvider['executeCommand']>>(async function* () {
      yield* []
    })
    await collect(answering([], { executeCommand }), { signal: controller.signal, now })
    expect(executeCommand).toHaveBeenCalledExactlyOnceWith(cancel, {
      signal: expect.any(AbortSignal) as unknown,
      initialSequence: 4,
      now,
    })
    const { signal } = executeCommand.mock.calls[0]![1]
    expect(signal).not.toBe(controller.signal)
    expect(signal.aborted).toBe(false)
    expect(listeners()).toBe(0)
  })
})

describe('what is refused before the provider is called', () => {
  const executeCommand = () => {
    throw new Error('This must not be called.')
  }

  it('is a command that is none', async () => {
    const provider = answering([], { executeCommand })
    for (const command of [{ ...cancel, commandId: '' }, { ...cancel, type: 'run.pause' }, undefined]) {
      expect(await codeOf(collect(provider, { command: command as never }))).toBe('invalid_command')
    }
  })

  it.each([[], undefined])('is a command that the provider does not declare (%j)', async (declared) => {
    const provider = answering([], { executeCommand, id: 'x', capabilities: { ...capabilities, commands: declared } })
    const running = collect(provider)
    await expect(running).rejects.toThrow('Provider "x" does not support command "run.cancel".')
    await expect(running).rejects.toBeInstanceOf(AgentCommandRunnerError)
    await expect(running).rejects.toMatchObject({ code: 'unsupported_capability' })
  })

  it('is a command that the provider declares without executeCommand', async () => {
    const provider = createListProvider([], { capabilities })
    expect(await codeOf(collect(provider))).toBe('unsupported_capability')
  })

  it('is a provider of another protocol', async () => {
    const provider = answering([], { executeCommand })
    Object.assign(provider, { protocol: { name: 'agent-event', version: '9' } })
    expect(await codeOf(collect(provider))).toBe('protocol_error')
  })
})

describe('an answer that breaks the protocol', () => {
  const good = makeEvents(4).create('run.cancelled', {})
  const declaring = { ...capabilities, eventTypes: ['run.cancelled' as const] }

  it.each<[string, unknown, Partial<ListProvider>]>([
    ['an invalid event', { ...good, payload: null }, {}],
    ['outside the active session or run', { ...good, runId: 'r2' }, {}],
    ['outside the active session or run', { ...good, sessionId: 's2' }, {}],
    [
      'undeclared event type',
      makeEvents(5).create('run.failed', { error: { message: 'x' } }),
      { capabilities: declaring },
    ],
    ['must be greater than 5', { ...good, eventId: 'other' }, {}],
    ['must be greater than 5', { ...good, sequence: 4 }, {}],
  ])('is a protocol error: %s', async (words, event, changes) => {
    const seen: AgentEvent[] = []
    const running = collect(answering([good, event], changes), { onEvent: (taken) => seen.push(taken) })
    await expect(running).rejects.toThrow(words)
    await expect(running).rejects.toMatchObject({ name: 'AgentCommandRunnerError', code: 'protocol_error' })
    expect(seen).toEqual([good])
  })

  it('is one whose first event does not come after initialSequence', async () => {
    expect(await codeOf(collect(answering([good]), { initialSequence: 5 }))).toBe('protocol_error')
  })

  it('is none where an event of the answer comes again', async () => {
    expect(await collect(answering([good, good]))).toEqual([good, good])
  })

  it('is none where a dense provider repeats what is known', async () => {
    const dense = { ...capabilities, sequence: 'dense' as const }
    const answer = [makeEvents(1).create('session.started', {}), good]
    expect(await collect(answering(answer, { capabilities: dense }), { initialSequence: 5 })).toEqual(answer)
  })

  it('is one that gives a cursor that is no text', async () => {
    const provider = answering([], {
      executeCommand: async function* (_command, { onCursor }) {
        onCursor?.(7 as never)
        yield* []
      },
    })
    const cursors: string[] = []
    expect(await codeOf(collect(provider, { onCursor: (cursor) => cursors.push(cursor) }))).toBe('protocol_error')
    expect(cursors).toEqual([])
  })

  it('is no iterable at all', async () => {
    for (const answer of [undefined, null, [good], Promise.resolve([])]) {
      const provider = answering([], { executeCommand: () => answer as never })
      expect(await codeOf(collect(provider))).toBe('protocol_error')
    }
  })
})

describe('errors', () => {
  const mine = new Error('mine')
  const throwing = () => {
    throw mine
  }

  it('of the provider reject as they are, also where executeCommand throws at once', async () => {
    await expect(collect(answering([], { executeCommand: throwing }))).rejects.toBe(mine)
    const executeCommand: ListProvider['executeCommand'] = async function* () {
      yield makeEvents(4).create('run.cancelled', {})
      throw mine
    }
    await expect(collect(answering([], { executeCommand }))).rejects.toBe(mine)
  })

  it('of the consumer reject as they are, and close the answer', async () => {
    const closed = vi.fn<() => void>()
    const signals: AbortSignal[] = []
    const executeCommand: ListProvider['executeCommand'] = async function* (_command, { signal }) {
      signals.push(signal)
      try {
        yield makeEvents(4).create('run.cancelled', {})
      } finally {
        closed()
      }
    }
    await expect(collect(answering([], { executeCommand }), { onEvent: throwing })).rejects.toBe(mine)
    expect(closed).toHaveBeenCalledTimes(1)
    expect(signals[0]!.aborted).toBe(true)
  })
})

describe('an abort', () => {
  it('rejects with an AbortError at once, and leaves no listener', async () => {
    const controller = new AbortController()
    const listeners = countListeners(controller.signal)
    const gate = createGate()
    const provider = createScriptedProvider({ steps: [], commands: { 'run.cancel': [{ gate }] } })
    const running = runAgentCommand({
      provider,
      command: cancel,
      initialSequence: 4,
      signal: controller.signal,
      onEvent: () => undefined,
    })
    await gate.reached
    controller.abort('enough')
    await expect(running).rejects.toMatchObject({ name: 'AbortError', cause: 'enough' })
    expect(listeners()).toBe(0)
    expect(provider.calls.commands).toEqual([cancel])
  })

  it('that came before does not call the provider', async () => {
    const executeCommand = vi.fn<NonNullable<ListProvider['executeCommand']>>()
    const running = collect(answering([], { executeCommand }), { signal: AbortSignal.abort() })
    await expect(running).rejects.toMatchObject({ name: 'AbortError' })
    expect(executeCommand).not.toHaveBeenCalled()
  })

  it('ends a provider that never answers', async () => {
    const controller = new AbortController()
    const asked = createGate()
    const executeCommand: ListProvider['executeCommand'] = () => ({
      [Symbol.asyncIterator]: () => ({
        next: () => {
          void asked.pass()
          return new Promise<never>(() => undefined)
        },
      }),
    })
    const running = collect(answering([], { executeCommand }), { signal: controller.signal })
    await asked.reached
    controller.abort()
    await expect(running).rejects.toMatchObject({ name: 'AbortError' })
  })
})
