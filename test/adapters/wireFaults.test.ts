import { AgentTransportError, type AnyAgentProvider } from 'redux-agent'
import { validateAgentProviderEvents } from 'redux-agent/testing'
import { describe, expect, it } from 'vitest'
import { faultyWires, secret, type FaultyWire } from './faultyWires.ts'
import { collectRun } from './openAI/collectRun.ts'

// Everything that can go wrong with a wire, for every wire, over every recording: one clear error or one right ending.

async function play(wire: FaultyWire, provider: AnyAgentProvider) {
  const { events, failures, state } = await collectRun(provider, { input: { message: 'Hi' } })
  expect(state.issues).toEqual([])
  const run = state.runs.r1
  const isParked = run?.status === 'running' && Object.values(state.approvals).some(({ status }) => status === 'waiting')
  const isOver = run !== undefined && run.status !== 'running'
  // Who drives a run server's run asks again; every other run has one end, or waits for somebody.
  const isDense = provider.capabilities.sequence === 'dense'
  if (isDense) expect(isOver || failures.length === 1).toBe(true)
  else expect(isParked || isOver).toBe(true)
  expect(failures.length).toBeLessThanOrEqual(1)
  if (isOver && !isDense) expect(validateAgentProviderEvents(provider.capabilities, events)).toEqual([])
  for (const failure of failures) {
    expect(failure).toBeInstanceOf(AgentTransportError)
    const { adapter, message } = failure as AgentTransportError
    expect(adapter).toBe(wire.name)
    expect(message).toMatch(new RegExp(`^${wire.name}\\b`))
    expect(message).not.toContain(secret)
    // An answer that was whole by then stays whole.
    if (run?.status === 'failed') expect(run.error?.message.startsWith(message.slice(0, 250))).toBe(true)
  }
  expect(JSON.stringify(state)).not.toContain(secret)
  const text = Object.values(state.messages)
    .filter(({ role }) => role === 'assistant')
    .map(({ content }) => (typeof content === 'string' ? content : content.map((part) => ('text' in part ? part.text : '')).join('')))
  return { run, state, text: text.join('|'), failure: failures[0] as AgentTransportError | undefined, isParked }
}

/** Every place, or some twenty of them in a long recording. */
const placesOf = (frames: readonly string[]) => {
  const step = Math.ceil(frames.length / 20)
  return frames.map((_, index) => index).filter((index) => index % step === 0 || index === frames.length - 1)
}
/** What differs with the time, the place or the order of ids. */
const factsOf = ({ run, text, state }: Awaited<ReturnType<typeof play>>) => ({
  text,
  status: run?.status,
  output: run?.output,
  calls: Object.values(state.toolCalls).map(({ id, arguments: args, status, result }) => ({ id, args, status, result })),
  reasoning: Object.values(state.reasoning).map(({ content, status }) => ({ content, status })),
})

describe.each(faultyWires.map((wire) => ({ name: wire.name, wire })))('the wire of $name', ({ wire }) => {
  const { serve, answer } = wire

  describe.each(wire.recordings)('with the recording $name', ({ frames }) => {
    it('comes to one right ending, however its bytes are split', async () => {
      const whole = await play(wire, serve(frames))
      expect(whole.failure).toBeUndefined()
      for (const size of [1, 61]) expect(factsOf(await play(wire, serve(frames, 'clean', size)))).toEqual(factsOf(whole))
    })

    it('may be cut at every chunk: no word is lost before it, and none is doubled', async () => {
      const whole = await play(wire, serve(frames))
      for (let cut = 0; cut < frames.length; cut += 1) {
        const { failure, text, run } = await play(wire, serve(frames.slice(0, cut)))
        expect(whole.text.startsWith(text)).toBe(true)
        if (!failure) expect(run?.status).toBe(whole.run?.status)
        else expect(failure).toMatchObject({ code: 'incomplete', chunk: cut > 0 ? cut - 1 : undefined })
      }
    })

    it('may be cut within a frame, or by an error', async () => {
      const whole = await play(wire, serve(frames))
      for (const cut of placesOf(frames)) {
        for (const end of ['mid-frame', 'error'] as const) {
          const { failure, text, run } = await play(wire, serve(frames.slice(0, cut), end))
          expect(whole.text.startsWith(text)).toBe(true)
          if (failure) expect(failure).toMatchObject({ retryable: true, chunk: cut > 0 ? cut - 1 : undefined })
          else expect(run?.status).toBe(whole.run?.status)
        }
      }
    })

    it('may bring each chunk twice', async () => {
      const whole = await play(wire, serve(frames))
      expect(whole.failure).toBeUndefined()
      // Some recorded services number nothing: then what comes twice cannot be told from what is said twice.
      const isNumbered = wire.isNumbered && frames.every((frame) => /"(sequence_number|seq)":/.test(frame))
      for (const twice of placesOf(frames)) {
        const played = await play(wire, serve([...frames.slice(0, twice + 1), ...frames.slice(twice)]))
        if (isNumbered) expect(factsOf(played)).toEqual(factsOf(whole))
      }
    })

    it('may bring what nobody knows, anywhere', async () => {
      const whole = factsOf(await play(wire, serve(frames)))
      for (const at of placesOf(frames)) {
        const played = await play(wire, serve([...frames.slice(0, at), wire.unknown, ...frames.slice(at)]))
        expect(factsOf(played)).toEqual(whole)
      }
    })

    it('may keep its line alive by comments, and by messages without words', async () => {
      // Of the transports alone the app says what a message means.
      if (['sse', 'ndjson', 'websocket'].includes(wire.name)) return
      const whole = await play(wire, serve(frames))
      const alive = frames.flatMap((frame) => [': OPENROUTER PROCESSING\n\n', 'data:\n\n', frame, 'data:  \n\n', ':\n\n'])
      const played = await play(wire, serve(alive))
      expect(factsOf(played)).toEqual(factsOf(whole))
      expect(played.run?.error).toEqual(whole.run?.error)
    })

    it('names the chunk that is none, and holds nothing of it', async () => {
      const whole = await play(wire, serve(frames))
      for (const at of placesOf(frames)) {
        for (const bad of wire.malformed) {
          const { failure, text } = await play(wire, serve([...frames.slice(0, at), bad, ...frames.slice(at)]))
          expect(whole.text.startsWith(text)).toBe(true)
          // What comes once the answer is over is no matter.
          if (failure) expect(failure).toMatchObject({ code: 'invalid_frame', chunk: at })
          if (failure) expect(failure.message).toMatch(new RegExp(`^${wire.name}: chunk ${at}\\b`))
          else expect(at).toBeGreaterThan(0)
        }
      }
    })

    it('may say [DONE] once it is over, or not', async () => {
      const whole = factsOf(await play(wire, serve(frames)))
      expect(factsOf(await play(wire, serve([...frames, 'data: [DONE]\n\n'])))).toEqual(whole)
    })
  })

  // A socket has neither.
  if (!answer) return

  it('tells what is no stream by its status and its kind, with none of its words', async () => {
    const page = { headers: { 'content-type': 'text/html' } }
    const stated = { headers: { 'content-type': 'application/json', 'retry-after': '3' } }
    const body = JSON.stringify({ error: { code: 'some_code', message: secret } })
    const cases: [() => Response, object][] = [
      [() => new Response(`<html>${secret}`, page), { code: 'content_type', retryable: false }],
      [() => new Response(body, { status: 200, ...stated }), { code: 'content_type' }],
      [() => new Response(body, { status: 401, ...stated }), { status: 401, serverCode: 'some_code', retryable: false }],
      [() => new Response(body, { status: 429, ...stated }), { status: 429, retryable: true, retryAfter: 3000 }],
      [() => new Response(body, { status: 500, ...stated }), { status: 500, retryable: true }],
      [() => new Response(`<html>${secret}`, { status: 502, ...page }), { status: 502, retryable: true }],
    ]
    for (const [respond, expected] of cases) {
      const { failure } = await play(wire, answer(respond))
      expect(failure).toMatchObject({ ...expected, chunk: undefined })
    }
    const unreachable = answer(() => {
      throw new TypeError(secret)
    })
    expect((await play(wire, unreachable)).failure).toMatchObject({ code: 'network', retryable: true })
  })
})
