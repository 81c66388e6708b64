import { createAsyncIterableTransport, type AgentEvent } from 'redux-agent'
import { describe, expect, it, vi } from 'vitest'
import { createListProvider, makeEvents, run, runToEnd, typesOf, unused, type ListProvider } from './fixtures.ts'

describe('an error of the provider or its transport', () => {
  const broken = new Error('It broke.')
  const throwing = () => {
    throw broken
  }
  const failed: Pick<ListProvider, 'transformError'> = {
    transformError: (error, { events }) => [
      events.create('run.failed', { error: { message: error instanceof Error ? error.message : 'unknown' } }),
    ],
  }
  const wire = (open: () => AsyncIterable<readonly AgentEvent[]>) => ({ transport: createAsyncIterableTransport(open) })

  it.each<[string, Partial<ListProvider>]>([
    ['start', { start: throwing }],
    ['prepareRequest', { prepareRequest: throwing }],
    ['open', wire(throwing)],
    ['an iterator that throws at once', wire(() => ({ [Symbol.asyncIterator]: () => ({ next: throwing }) }))],
    ['reading', wire(() => ({ [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(broken) }) }))],
    ['transformChunk', { transformChunk: throwing }],
    ['flush', { flush: throwing }],
  ])('in %s is transformed once, and the run resolves', async (_where, changes) => {
    const transformError = vi.fn<ListProvider['transformError']>(failed.transformError)
    const events = await runToEnd(createListProvider([[]], { ...changes, transformError }))
    expect(typesOf(events)).toEqual(['run.failed'])
    expect(transformError).toHaveBeenCalledTimes(1)
    expect(transformError.mock.calls[0]![0]).toBe(broken)
  })

  it('in createContext rejects as it is, for nothing could be transformed', async () => {
    const provider = createListProvider([], { createContext: throwing, transformError: unused })
    await expect(runToEnd(provider)).rejects.toBe(broken)
  })

  it('in transformError rejects as it is', async () => {
    const second = new Error('That broke too.')
    const provider = createListProvider([], {
      start: throwing,
      transformError: () => {
        throw second
      },
    })
    await expect(runToEnd(provider)).rejects.toBe(second)
  })

  it('in getCursor is transformed, after the events of its chunk', async () => {
    const transport = createAsyncIterableTransport(
      async function* () {
        yield [makeEvents().create('run.started', {})]
      },
      { getCursor: throwing },
    )
    const provider = createListProvider([], {
      transport,
      transformError: () => [makeEvents(0).create('run.failed', { error: { message: 'x' } })],
    })
    expect(typesOf(await runToEnd(provider, { onCursor: unused }))).toEqual(['run.started', 'run.failed'])
  })

  it('can be kept from transformError, and says whether classifyError calls it retryable', async () => {
    const onTransportError = vi.fn<() => 'stop'>(() => 'stop')
    const provider = createListProvider([], {
      ...wire(throwing),
      transformError: unused,
      classifyError: (error) => ({ retryable: error === broken }),
    })
    expect(await runToEnd(provider, { onTransportError })).toEqual([])
    expect(onTransportError).toHaveBeenCalledExactlyOnceWith(broken, {
      retryable: true,
      context: expect.objectContaining({ runId: 'r1' }) as unknown,
    })
  })

  it('is final without classifyError, where that fails, and where the provider itself threw', async () => {
    const retryable: boolean[] = []
    const onTransportError = (_error: unknown, details: { retryable: boolean }) => {
      retryable.push(details.retryable)
      return 'transform' as const
    }
    await runToEnd(createListProvider([], wire(throwing)), { onTransportError })
    await runToEnd(createListProvider([], { ...wire(throwing), classifyError: throwing }), { onTransportError })
    const classifyError = () => ({ retryable: true })
    await runToEnd(createListProvider([[]], { transformChunk: throwing, classifyError }), { onTransportError })
    expect(retryable).toEqual([false, false, false])
  })

  it('can be what a normal end means', async () => {
    const provider = createListProvider([[makeEvents().create('run.started', {})]], {
      transformError: (error) => [makeEvents(0).create('run.failed', { error: { message: String(error) } })],
    })
    const events = await runToEnd(provider, { checkEnd: () => 'ended too soon' })
    expect(events.at(-1)).toMatchObject({ type: 'run.failed', payload: { error: { message: 'ended too soon' } } })
    expect(typesOf(await runToEnd(provider, { checkEnd: () => undefined }))).toEqual(['run.started'])
  })

  it('closes the iterator', async () => {
    const onReturn = vi.fn<() => Promise<IteratorResult<never>>>(() =>
      Promise.resolve({ done: true, value: undefined }),
    )
    const iterator = { next: () => Promise.reject(broken), return: onReturn }
    await runToEnd(
      createListProvider(
        [],
        wire(() => ({ [Symbol.asyncIterator]: () => iterator })),
      ),
    )
    expect(onReturn).toHaveBeenCalledTimes(1)
  })
})

describe('a consumer’s error', () => {
  const mine = new Error('The consumer broke.')
  const throwing = () => {
    throw mine
  }
  const chunks = [[makeEvents().create('run.started', {})]]

  it.each(['onEvent', 'onCursor', 'onConnected', 'checkEnd'] as const)(
    'in %s rejects as it is, is never transformed, and closes the wire',
    async (callback) => {
      const closed = vi.fn<() => void>()
      const signals: AbortSignal[] = []
      const transport = createAsyncIterableTransport<string, readonly AgentEvent[]>(
        async function* (_request, signal) {
          signals.push(signal)
          try {
            yield* chunks
          } finally {
            closed()
          }
        },
        { getCursor: () => 'c1' },
      )
      const provider = createListProvider([], { transport, transformError: unused })
      await expect(runToEnd(provider, { [callback]: throwing })).rejects.toBe(mine)
      expect(closed).toHaveBeenCalledTimes(1)
      expect(signals[0]!.aborted).toBe(true)
    },
  )

  it('in onTransportError rejects as it is', async () => {
    const provider = createListProvider([], {
      start: () => {
        throw new Error('provider')
      },
      transformError: unused,
    })
    await expect(runToEnd(provider, { onTransportError: throwing })).rejects.toBe(mine)
  })

  it('rejects as it is also where the consumer aborted just before', async () => {
    const controller = new AbortController()
    const onEvent = () => {
      controller.abort()
      throw mine
    }
    const provider = createListProvider(chunks)
    await expect(runToEnd(provider, { onEvent, run: { ...run, signal: controller.signal } })).rejects.toBe(mine)
  })
})
