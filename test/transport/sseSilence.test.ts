import { createSseTransport, type SseMessage, type SseTransportOptions } from 'redux-agent'
import { createGate } from 'redux-agent/testing'
import { describe, expect, it, vi } from 'vitest'
import { answerWith, readAll } from './readSse.ts'
import { toBytes } from './sseInputs.ts'

type Options = SseTransportOptions<string, SseMessage>
const open = (options: Partial<Options> = {}, signal = new AbortController().signal) =>
  createSseTransport<string, SseMessage>({
    request: () => ({ url: 'https://agent.example.com/stream' }),
    parse: (message) => message,
    ...options,
  }).open('input', signal)
const read = (options: Partial<Options> = {}) => readAll(open(options))

describe('silence', () => {
  /** Timers that a test lets ring. */
  function createTimers() {
    const waiting = new Map<number, () => void>()
    const delays: number[] = []
    let last = 0
    return {
      delays,
      count: () => waiting.size,
      ring: () => [...waiting.values()].forEach((callback) => callback()),
      setTimeout(callback: () => void, delay: number) {
        last += 1
        delays.push(delay)
        waiting.set(last, callback)
        return last
      },
      clearTimeout: (handle: unknown) => waiting.delete(handle as number),
    }
  }
  const headers = { 'content-type': 'text/event-stream' }

  it('longer than idleTimeout is a loss, every byte starting the wait anew', async () => {
    const timers = createTimers()
    const silent = createGate()
    const cancel = vi.fn<() => void>()
    const pieces = [': hb\n', 'data: x\n\n', ':']
    const body = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          const piece = pieces.shift()
          if (piece !== undefined) controller.enqueue(toBytes(piece))
          else return silent.pass()
        },
        cancel,
      },
      { highWaterMark: 0 },
    )
    const reading = read({ fetch: () => Promise.resolve(new Response(body, { headers })), timers, idleTimeout: 45_000 })
    await silent.reached
    expect(timers.count()).toBe(1)
    // One wait for the request, one for the answer, one for each piece, and the one that rings.
    expect(timers.delays).toEqual([45_000, 45_000, 45_000, 45_000, 45_000, 45_000])
    timers.ring()
    const { messages, error } = await reading
    expect(messages).toHaveLength(1)
    expect(error).toMatchObject({ code: 'idle_timeout', retryable: true })
    expect(cancel).toHaveBeenCalledTimes(1)
    expect(timers.count()).toBe(0)
  })

  it.each([
    [0, []],
    [-1, []],
    [NaN, []],
    [Infinity, []],
    [2 ** 31, [2 ** 31 - 1]],
  ])('is borne as long as idleTimeout %d says', async (idleTimeout, expected) => {
    const timers = createTimers()
    expect((await read({ fetch: answerWith([toBytes('data: x\n\n')]), timers, idleTimeout })).messages).toHaveLength(1)
    expect([...new Set(timers.delays)]).toEqual(expected)
  })

  it.each(['never comes', 'never ends', 'is endless'])('does not hide the status of an error whose body %s', async (how) => {
    const timers = createTimers()
    const silent = createGate()
    const cancel = vi.fn<() => void>()
    let isFirst = true
    const body = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          const isSilent = how === 'never comes' || (how === 'never ends' && !isFirst)
          if (isSilent) return silent.pass()
          isFirst = false
          controller.enqueue(toBytes('{"code":"late",'.padEnd(1000)))
        },
        cancel,
      },
      { highWaterMark: 0 },
    )
    const init = { status: 503, headers: { 'content-type': 'application/json' } }
    const reading = read({ fetch: () => Promise.resolve(new Response(body, init)), timers })
    if (how !== 'is endless') {
      await silent.reached
      expect(timers.delays).toEqual([5000])
      timers.ring()
    }
    expect((await reading).error).toMatchObject({ code: 'http_status', status: 503, serverCode: undefined })
    expect(cancel).toHaveBeenCalledTimes(1)
    expect(timers.count()).toBe(0)
  })

  it('of an error’s body ends with an abort', async () => {
    const controller = new AbortController()
    const silent = createGate()
    const body = new ReadableStream<Uint8Array>({ pull: () => silent.pass() }, { highWaterMark: 0 })
    const init = { status: 503, headers: { 'content-type': 'application/json' } }
    const reading = readAll(
      open({ fetch: () => Promise.resolve(new Response(body, init)), timers: createTimers() }, controller.signal),
    )
    await silent.reached
    controller.abort('enough')
    expect((await reading).error).toBe('enough')
  })

  it('of a connection that hangs is a loss, and a late answer is not read', async () => {
    const timers = createTimers()
    const asked = createGate()
    const cancelled = createGate()
    const body = new ReadableStream<Uint8Array>({ cancel: () => cancelled.open() })
    const fetch: typeof globalThis.fetch = async () => {
      await asked.pass()
      return new Response(body, { headers })
    }
    const reading = read({ fetch, timers, idleTimeout: 10 })
    await asked.reached
    timers.ring()
    expect((await reading).error).toMatchObject({ code: 'idle_timeout' })
    asked.open()
    await cancelled.opened
  })

  it('is not counted while nobody reads, nor where there is no idleTimeout', async () => {
    const timers = createTimers()
    const iterator = open({ fetch: answerWith([toBytes('data: x\n\n')]), timers, idleTimeout: 10 })[
      Symbol.asyncIterator
    ]()
    await iterator.next()
    expect(timers.count()).toBe(0)
    await iterator.return?.()
    await read({ fetch: answerWith([]), timers })
    expect(timers.delays.every((delay) => delay === 10)).toBe(true)
  })
})
