import { createAsyncIterableTransport, runAgentProvider, type AgentEvent } from 'redux-agent'
import { createGate, createScriptedProvider } from 'redux-agent/testing'
import { describe, expect, it, vi } from 'vitest'
import { countListeners, createListProvider, makeEvents, run, runToEnd, typesOf, unused } from './fixtures.ts'

describe('an abort', () => {
  it('ends a waiting stream at once: nothing is transformed, flushed or left behind', async () => {
    const controller = new AbortController()
    const listeners = countListeners(controller.signal)
    const gate = createGate()
    const provider = createScriptedProvider({
      steps: [{ events: (events) => [events.create('run.started', {})] }, { gate }],
      flush: unused,
      transformError: unused,
    })
    const events: AgentEvent[] = []
    const running = runAgentProvider({
      provider,
      input: 'Hello',
      run: { ...run, signal: controller.signal },
      onEvent: (event) => events.push(event),
      checkEnd: unused,
      onTransportError: unused,
    })
    await gate.reached
    expect(listeners()).toBe(1)
    controller.abort('enough')
    await running
    expect(typesOf(events)).toEqual(['run.started'])
    expect(provider.calls.opens[0]!.signal.reason).toBe('enough')
    expect(listeners()).toBe(0)
  })

  it('ends a stream that heeds no signal, and closes its iterator', async () => {
    const controller = new AbortController()
    const onReturn = vi.fn<() => Promise<never>>(() => Promise.reject(new Error('cannot close')))
    const asked = createGate()
    const iterator = {
      next: () => {
        void asked.pass()
        return new Promise<never>(() => undefined)
      },
      return: onReturn,
    }
    const transport = createAsyncIterableTransport<string, readonly AgentEvent[]>(() => ({
      [Symbol.asyncIterator]: () => iterator,
    }))
    const running = runToEnd(createListProvider([], { transport }), { run: { ...run, signal: controller.signal } })
    await asked.reached
    controller.abort()
    expect(await running).toEqual([])
    expect(onReturn).toHaveBeenCalledTimes(1)
  })

  it('out of onEvent keeps back the rest of the chunk and its cursor', async () => {
    const controller = new AbortController()
    const events = makeEvents()
    const chunk = [events.create('run.started', {}), events.create('run.completed', {})]
    const transport = createAsyncIterableTransport(
      async function* () {
        yield chunk
      },
      { getCursor: () => 'c1' },
    )
    const seen: AgentEvent[] = []
    const provider = createListProvider([], { transport, flush: unused, transformError: unused })
    await runAgentProvider({
      provider,
      input: 'Hello',
      run: { ...run, signal: controller.signal },
      onCursor: unused,
      onEvent(event) {
        seen.push(event)
        controller.abort()
      },
    })
    expect(seen).toEqual([chunk[0]])
  })

  it('that came before calls nothing of the provider', async () => {
    const provider = createListProvider([], { createContext: unused, start: unused })
    expect(await runToEnd(provider, { run: { ...run, signal: AbortSignal.abort() } })).toEqual([])
  })

  it('during onTransportError keeps transformError from being called', async () => {
    const controller = new AbortController()
    const provider = createListProvider([], {
      start: () => {
        throw new Error('provider')
      },
      transformError: unused,
    })
    const onTransportError = () => {
      controller.abort()
      return 'transform' as const
    }
    expect(await runToEnd(provider, { onTransportError, run: { ...run, signal: controller.signal } })).toEqual([])
  })

  it('is not what a proper end looks like to the provider', async () => {
    const controller = new AbortController()
    const listeners = countListeners(controller.signal)
    const signals: AbortSignal[] = []
    const provider = createListProvider([[]], {
      createContext: (context) => {
        signals.push(context.signal!)
        return context
      },
    })
    await runToEnd(provider, { run: { ...run, signal: controller.signal } })
    expect(signals[0]!.aborted).toBe(false)
    expect(listeners()).toBe(0)
    controller.abort()
    expect(signals[0]!.aborted).toBe(false)
  })
})
