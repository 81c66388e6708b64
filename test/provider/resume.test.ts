import { AgentProviderProtocolError, createAsyncIterableTransport, runAgentProvider, type AgentEvent } from 'redux-agent'
import { createScriptedProvider } from 'redux-agent/testing'
import { describe, expect, it } from 'vitest'
import { codeOf, createListProvider, makeEvents, run, runToEnd, unused } from './fixtures.ts'

const delta = (events: ReturnType<typeof makeEvents>) => events.create('message.delta', { messageId: 'm1', delta: 'x' })
const script = [
  { events: [makeEvents(0).create('session.started', {})] },
  { events: [delta(makeEvents(1)), delta(makeEvents(2))] },
  { events: [delta(makeEvents(3))] },
]

describe('a cursor', () => {
  it('comes after all events of its chunk', async () => {
    const order: unknown[] = []
    await runAgentProvider({
      provider: createScriptedProvider({ steps: script }),
      input: 'Hello',
      run,
      onEvent: ({ sequence }) => order.push(sequence),
      onCursor: (cursor) => order.push(`cursor ${cursor}`),
    })
    expect(order).toEqual([1, 'cursor 0', 2, 3, 'cursor 1', 4, 'cursor 2'])
  })

  it('does not come for a chunk whose events the consumer could not take', async () => {
    const cursors: string[] = []
    const running = runAgentProvider({
      provider: createScriptedProvider({ steps: script }),
      input: 'Hello',
      run,
      onEvent({ sequence }) {
        if (sequence === 3) throw new Error('full')
      },
      onCursor: (cursor) => cursors.push(cursor),
    })
    await expect(running).rejects.toThrow('full')
    expect(cursors).toEqual(['0'])
  })

  it('that is empty or missing is not handed over', async () => {
    const values = ['', undefined, 'c3']
    const transport = createAsyncIterableTransport<string, readonly AgentEvent[]>(
      async function* () {
        yield* [[], [], []]
      },
      { getCursor: () => values.shift() },
    )
    const cursors: string[] = []
    await runAgentProvider({
      provider: createListProvider([], { transport }),
      input: 'Hello',
      run,
      onEvent: () => undefined,
      onCursor: (cursor) => cursors.push(cursor),
    })
    expect(cursors).toEqual(['c3'])
  })

  it.each([0, 7, true, {}])('is text: %j is refused by name, and nobody gets it', async (value) => {
    const transport = createAsyncIterableTransport<string, readonly AgentEvent[]>(
      async function* () {
        yield []
      },
      { getCursor: () => value as never },
    )
    const provider = createListProvider([], { transport, transformError: unused })
    const running = runToEnd(provider, { onCursor: unused })
    await expect(running).rejects.toBeInstanceOf(AgentProviderProtocolError)
    await expect(running).rejects.toMatchObject({ code: 'invalid_cursor', message: expect.stringContaining('Provider "list" gave a cursor') as string })
  })
})

describe('a resume', () => {
  const resumable = (sequence?: 'dense') =>
    createScriptedProvider({
      steps: script,
      capabilities: { resumable: true, sequence },
      ...(sequence === undefined && {
        flush: (events) => [events.create('run.completed', {}, { sequence: 9 })],
        start: (events) => [events.create('run.started', {})],
      }),
    })
  const resume = async (provider: ReturnType<typeof resumable>, cursor: string, initialSequence?: number) => {
    const events: AgentEvent[] = []
    await runAgentProvider({
      provider,
      input: 'Hello',
      run: { ...run, initialSequence },
      resume: { cursor },
      onEvent: (event) => events.push(event),
    })
    return events.map(({ sequence }) => sequence)
  }

  it('skips start, makes context and request anew, and goes on with chunks and flush', async () => {
    const provider = resumable()
    expect(await resume(provider, '1', 3)).toEqual([4, 9])
    expect(provider.calls.starts).toEqual([])
    expect(provider.calls.opens).toEqual([])
    expect(provider.calls.resumes).toMatchObject([{ input: 'Hello', runId: 'r1', cursor: '1' }])
  })

  it('hands events over that are known already: who applies them absorbs them', async () => {
    expect(await resume(resumable(), '0', 4)).toEqual([2, 3, 4, 9])
    expect(await resume(resumable('dense'), '0', 4)).toEqual([2, 3, 4])
  })

  it('still wants sequences to rise among themselves', async () => {
    const steps = [{ events: [] }, { events: [delta(makeEvents(5)), delta(makeEvents(4))] }]
    const provider = createScriptedProvider({ steps, capabilities: { resumable: true } })
    expect(await codeOf(resume(provider, '0', 9))).toBe('invalid_sequence')
  })

  it('is refused before anything is called where the provider does not declare it', async () => {
    const provider = createScriptedProvider({ steps: script })
    expect(await codeOf(resume(provider, '0'))).toBe('unsupported_resume')
    expect(provider.calls.resumes).toEqual([])
  })

  it('is refused where the transport cannot do it', async () => {
    const capabilities = { ...createListProvider([]).capabilities, resumable: true }
    const running = runAgentProvider({
      provider: createListProvider([], { capabilities }),
      input: 'Hello',
      run,
      resume: { cursor: 'c1' },
      onEvent: () => undefined,
    })
    await expect(running).rejects.toThrow('Provider "list" cannot resume')
  })

  it('that fails is a transport’s error', async () => {
    const provider = resumable()
    expect(await resume(provider, 'unknown', 4)).toEqual([])
    expect(provider.calls.errors).toMatchObject([{ message: 'The script has no step with cursor "unknown".' }])
  })
})
