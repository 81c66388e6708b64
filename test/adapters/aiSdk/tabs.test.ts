import { createAiSdkProvider, type AiSdkProviderOptions } from 'redux-agent/adapters/ai-sdk'
import { createGate } from 'redux-agent/testing'
import { describe, expect, it } from 'vitest'
import { expectSilentConsole } from '../../store/createHarness.ts'
import { toSse } from '../openAI/createWire.ts'
import { openTabs } from '../openTabs.ts'
import { asking, goingOn, remaining } from './openQuestion.ts'

expectSilentConsole()

// A run that asks a person while its stream is open, or once that has ended, in two tabs.

/** A stream that brings its second part once the gate is open, or is cut by what the gate throws. */
function streamPast(gate: { pass(signal?: AbortSignal): Promise<void> }, signal: AbortSignal): Response {
  const encoder = new TextEncoder()
  const parts = [asking, remaining]
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const part = parts.shift()
      if (!part) return controller.close()
      if (part === remaining) await gate.pass(signal)
      controller.enqueue(encoder.encode(toSse(part)))
    },
  })
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
}

async function breakAt(gate: { pass(): Promise<void> }): Promise<never> {
  await gate.pass()
  throw new TypeError('Cut.')
}

/** Two tabs on such a run; `goOn` lets its stream come to its end, as does each that takes it up again. */
async function ask(options: Pick<AiSdkProviderOptions, 'resume'>, server = { refusesResume: false }) {
  const sent: string[] = []
  const gate = createGate()
  const resumed = createGate()
  resumed.open()
  const state = { resumes: resumed }
  const cut = createGate()
  const fetch: typeof globalThis.fetch = async (_target, init) => {
    const method = init?.method ?? 'GET'
    const signal = init!.signal!
    sent.push(method)
    if (method === 'GET') {
      await state.resumes.pass(signal)
      return server.refusesResume ? new Response(null, { status: 204 }) : streamPast(gate, signal)
    }
    if (sent.length === 1) return streamPast({ pass: () => Promise.race([gate.pass(signal), breakAt(cut)]) }, signal)
    return new Response(toSse(goingOn), { headers: { 'content-type': 'text/event-stream' } })
  }
  const tabs = await openTabs({ make: (own) => createAiSdkProvider({ ...options, fetch: own }), fetch })
  return {
    ...tabs,
    sent,
    async goOn() {
      gate.open()
      await tabs.rest()
    },
    /** Breaks the first stream. */
    async cut() {
      cut.open()
      await tabs.rest()
    },
    /** Lets resumes wait for the gate that this gives. */
    holdResumes: () => (state.resumes = createGate()),
  }
}

describe('an answer that waits for the end of a stream which is lost for good', () => {
  it('is not sent by who continues the run, before it is given again', async () => {
    const server = { refusesResume: true }
    const { first, rest, goOn, sent, cut } = await ask({ resume: 'replay' }, server)
    first.answer('a')
    await rest()
    await cut()
    first.wake()
    await rest()
    expect(first.connection()).toMatchObject({ state: 'unrecoverable' })
    expect(first.answers()).toEqual({ a: 'failed: interrupted' })
    server.refusesResume = false
    void first.store.dispatch(first.agent.actions.resumeRun({ runId: 'r1' }))
    await rest()
    const before = sent.filter((method) => method === 'POST').length
    await goOn()
    expect(sent.filter((method) => method === 'POST')).toHaveLength(before)
    expect(first.answers()).toEqual({ a: 'failed: interrupted' })
    first.answer('a')
    await rest()
    expect(sent.filter((method) => method === 'POST')).toHaveLength(before + 1)
    expect(first.said()).toBe('Done.')
  })
})

const ways = ['kill', 'close'] as const

describe.each(ways)('a tab whose stream asks and is open, when it is gone (%s)', (way) => {
  it('leaves the question to the other tab, which takes the stream up again where the server can', async () => {
    const { first, second, rest, goOn, sent } = await ask({ resume: 'replay' })
    first.leave(way)
    await rest()
    expect(sent).toEqual(['POST', 'GET'])
    expect(second.connection()).toMatchObject({ state: 'connected' })
    await goOn()
    expect(second.connection()).toMatchObject({ state: 'idle' })
    expect(second.state().toolCalls['2:r1:look']).toMatchObject({ status: 'completed' })
    second.answer('a')
    await rest()
    expect(sent).toEqual(['POST', 'GET', 'POST'])
    expect(second.said()).toBe('Done.')
    expect(second.state().issues).toEqual([])
  })

  it('leaves a run that is lost where the server cannot; its answer says so', async () => {
    const { first, second, rest, sent } = await ask({})
    first.leave(way)
    await rest()
    expect(second.connection()).toMatchObject({ state: 'unrecoverable' })
    const answer = second.answer('a')
    await rest()
    expect(answer.is).toBe('stream_lost')
    expect(sent).toEqual(['POST'])
  })

  it('takes its answer with it, which waited for the end of the stream: it is to be given again, under its key', async () => {
    const { first, second, rest, goOn, sent } = await ask({ resume: 'replay' })
    const answer = first.answer('a')
    await rest()
    expect(answer.is).toBe('taken')
    const [key] = second.keys()
    first.leave(way)
    await rest()
    await goOn()
    expect(second.answers()).toEqual({ a: 'failed: interrupted' })
    expect(sent).toEqual(['POST', 'GET'])
    second.answer('a')
    await rest()
    expect(second.keys()).toEqual([key])
    expect(sent).toEqual(['POST', 'GET', 'POST'])
    expect(second.said()).toBe('Done.')
  })

  it('does not send an answer ahead of the stream that is taken up again: it waits for the end of that', async () => {
    const { first, second, rest, goOn, sent, holdResumes } = await ask({ resume: 'replay' })
    const resumes = holdResumes()
    first.leave(way)
    await rest()
    expect(second.connection()).toMatchObject({ state: 'reconnecting' })
    const answer = second.answer('a')
    await rest()
    expect(answer.is).toBe('taken')
    expect(sent).toEqual(['POST', 'GET'])
    resumes.open()
    await goOn()
    expect(sent).toEqual(['POST', 'GET', 'POST'])
    expect(second.said()).toBe('Done.')
    expect(second.state().issues).toEqual([])
  })

  it('has its run shown as lost where that answer waits for a stream that never comes, and the answer as unsent', async () => {
    const { first, second, rest, sent, holdResumes } = await ask({ resume: 'replay' }, { refusesResume: true })
    const resumes = holdResumes()
    first.leave(way)
    await rest()
    second.answer('a')
    await rest()
    resumes.open()
    await rest()
    expect(second.connection()).toMatchObject({ state: 'unrecoverable' })
    expect(second.answers()).toEqual({ a: 'failed: interrupted' })
    expect(sent).toEqual(['POST', 'GET'])
  })

  it('leaves a parked run alone where the stream had ended: only its answer is sent', async () => {
    for (const resume of ['replay', undefined] as const) {
      const { first, second, rest, goOn, sent } = await ask({ resume })
      await goOn()
      first.leave(way)
      await rest()
      expect(second.connection()).toMatchObject({ state: 'idle' })
      expect(sent).toEqual(['POST'])
      second.answer('a')
      await rest()
      expect(sent).toEqual(['POST', 'POST'])
      expect(second.said()).toBe('Done.')
    }
  })
})

describe('an answer to a stream that asks and is open', () => {
  it.each(['replay', undefined] as const)('is not taken in a tab that does not read it: that says where to answer (%s)', async (resume) => {
    const { first, second, rest, goOn, sent } = await ask({ resume })
    const early = second.answer('a')
    await rest()
    expect(early.is).toBe('other_tab')
    expect(sent).toEqual(['POST'])
    await goOn()
    second.answer('a')
    await rest()
    expect(sent).toEqual(['POST', 'POST'])
    for (const page of [first, second]) {
      expect(page.said()).toBe('Done.')
      expect(page.answers()).toEqual({ a: 'succeeded' })
      expect(page.state().issues).toEqual([])
    }
  })

  it('is not sent ahead of it while it is lost and the next attempt is waited for', async () => {
    const { first, rest, goOn, sent, cut } = await ask({ resume: 'replay' })
    await cut()
    expect(first.connection()).toMatchObject({ state: 'reconnecting' })
    const answer = first.answer('a')
    await rest()
    expect(answer.is).toBe('taken')
    // That it was taken is reason enough to wait no longer.
    expect(sent).toEqual(['POST', 'GET'])
    await goOn()
    expect(sent).toEqual(['POST', 'GET', 'POST'])
    expect(first.said()).toBe('Done.')
    expect(first.state().issues).toEqual([])
  })

  it('is not sent by itself once the person has stopped the run and continued it', async () => {
    const { first, second, rest, goOn, sent } = await ask({ resume: 'replay' })
    first.answer('a')
    await rest()
    first.store.dispatch(first.agent.actions.abortRun({ runId: 'r1' }))
    await rest()
    for (const page of [first, second]) expect(page.answers()).toEqual({ a: 'failed: interrupted' })
    void first.store.dispatch(first.agent.actions.resumeRun({ runId: 'r1' })).unwrap()
    await goOn()
    expect(sent).toEqual(['POST', 'GET'])
    first.answer('a')
    await rest()
    expect(sent).toEqual(['POST', 'GET', 'POST'])
    expect(second.said()).toBe('Done.')
  })
})
