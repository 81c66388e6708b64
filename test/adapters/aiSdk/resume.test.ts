import type { AgentState } from 'redux-agent'
import { createFaultyFetch } from 'redux-agent/testing'
import { describe, expect, it } from 'vitest'
import { createHeadlessRun, waitingApproval, type HeadlessRun } from './runHeadless.ts'
import type { Answer } from './scenario.ts'
import { cases, createServer } from './scenarios.ts'

type Mode = 'error' | 'eof' | 'mid-frame'

/** Splits a recorded stream into its frames. */
const framesOf = (sent: string) => sent.split(/(?<=\n\n)/)

function respond(frames: readonly string[], end: Mode | 'whole' = 'whole'): Response {
  const text = frames.join('')
  const bytes = new TextEncoder().encode(end === 'mid-frame' ? text.slice(0, -4) : text)
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(bytes)
    },
    pull(controller) {
      if (end === 'error') controller.error(new TypeError('Cut.'))
      else controller.close()
    },
  })
  return new Response(body, { headers: { 'content-type': 'text/event-stream', 'x-workflow-run-id': 'w1' } })
}

/** Gives what was recorded: the stream of the number is cut once, and resumed as the server can. */
function createCutServer(
  streams: readonly string[],
  cut: { stream: number; after: number; mode: Mode; resume: 'replay' | 'startIndex' },
) {
  let posts = 0
  const urls: string[] = []
  const fetch: typeof globalThis.fetch = async (url, init) => {
    urls.push(String(url))
    if (init?.method === 'GET') {
      const start = new URL(String(url)).searchParams.get('startIndex') ?? '0'
      return respond(framesOf(streams[posts - 1]!).slice(Number(start)))
    }
    posts += 1
    const frames = framesOf(streams[posts - 1]!)
    return cut.stream === posts - 1 ? respond(frames.slice(0, cut.after), cut.mode) : respond(frames)
  }
  return {
    fetch,
    urls,
    /** Lets the request that was cut be sent again. */
    mend() {
      posts -= 1
      cut.stream = -1
    },
  }
}

/** A run that goes on remembers its events as they came, which is not what is compared. */
const shown = (state: AgentState) => ({ ...state, processedEvents: {} })

const approvalOf = (run: HeadlessRun, tool: string) =>
  Object.values(run.state().approvals).find(({ toolCallId }) => toolCallId === tool)!

async function answerAll(run: HeadlessRun, rounds: readonly (readonly Answer[])[]) {
  for (const round of rounds) {
    for (const { tool, decision, data } of round) await run.answer(waitingApproval(run, tool), decision, data)
  }
}

async function record([, scenario, version]: (typeof cases)[number]) {
  const server = createServer(scenario, version)
  const run = createHeadlessRun({ fetch: server.fetch, mayResetSteps: true })
  await run.start()
  await answerAll(run, scenario.answers ?? [])
  return { streams: server.sent, whole: shown(run.state()), messages: run.messages() }
}

// What is read is the same in each version but for what its wire has: one of each scenario is enough.
const latest = cases.filter(([name]) => name.startsWith('v7'))

describe.each(['replay', 'startIndex'] as const)('a stream that is lost and taken up again by %s', (resume) => {
  it.each(latest)('gives the whole, wherever it is cut: %s', async (...entry) => {
    const { streams, whole, messages } = await record(entry)
    const frames = framesOf(streams[0]!)
    for (let after = 1; after < frames.length; after += 1) {
      const mode: Mode = (['error', 'eof', 'mid-frame'] as const)[after % 3]!
      const server = createCutServer(streams, { stream: 0, after, mode, resume })
      const run = createHeadlessRun({ fetch: server.fetch, resume, mayResetSteps: true })
      await run.begin()
      const ended = run.loss() === undefined
      const isKnown = run.cursor() !== undefined
      // A frame that is cut takes nothing with it, so that nothing may be known yet.
      if (!ended && !isKnown) continue
      if (!ended) await run.resume()
      expect(run.loss(), `cut after frame ${after}`).toBeUndefined()
      await answerAll(run, entry[1].answers ?? [])
      expect(shown(run.state()), `cut after frame ${after} by ${mode}`).toEqual(whole)
      expect(run.messages()).toEqual(messages)
    }
  })

  const answered = latest.filter(([, { answers }]) => answers !== undefined)
  it.each(answered)('gives the whole, wherever the answer’s stream is cut: %s', async (...entry) => {
    const { streams, whole } = await record(entry)
    const [first = [], ...others] = entry[1].answers!
    const frames = framesOf(streams[1]!)
    for (let after = 1; after < frames.length; after += 1) {
      const server = createCutServer(streams, { stream: 1, after, mode: 'error', resume })
      const run = createHeadlessRun({ fetch: server.fetch, resume })
      await run.start()
      const lost = await answerAll(run, [first]).then(
        () => undefined,
        (error: unknown) => error,
      )
      const isAccepted = first.every(({ tool }) => approvalOf(run, tool).status === 'completed')
      if (lost !== undefined && isAccepted) await run.resume()
      else if (lost !== undefined) {
        // Nothing came of the answer: it is given again, and those before it are still there.
        server.mend()
        const { tool, decision, data } = first.at(-1)!
        await run.answer(waitingApproval(run, tool), decision, data)
      }
      expect(run.loss()).toBeUndefined()
      await answerAll(run, others)
      expect(shown(run.state()), `cut after frame ${after}`).toEqual(whole)
    }
  })
})

const step = { type: 'start-step' }
const end = [{ type: 'finish-step' }, { type: 'finish', finishReason: 'stop' }]
const part = (kind: 'text' | 'reasoning', delta: string) => [
  { type: `${kind}-start`, id: 'p' },
  { type: `${kind}-delta`, id: 'p', delta },
]
/** What an app's own server may write, and no model's stream is. */
const oddities: Readonly<Record<string, readonly object[]>> = {
  'texts that begin again under an id that is open, and end once too often': [step, ...part('text', 'One'), ...part('text', 'two'), { type: 'text-end', id: 'p' }, ...part('text', 'three'), { type: 'text-end', id: 'p' }, { type: 'text-end', id: 'p' }, ...end],
  'reasoning that does': [step, ...part('reasoning', 'One'), ...part('reasoning', 'two'), { type: 'reasoning-end', id: 'p' }, { type: 'reasoning-end', id: 'p', providerMetadata: { own: { last: true } } }, ...end],
  'a question before the arguments of its call': [step, { type: 'tool-input-start', toolCallId: 'c', toolName: 'deploy' }, { type: 'tool-approval-request', approvalId: 'a', toolCallId: 'c' }, { type: 'tool-input-available', toolCallId: 'c', toolName: 'deploy', input: {} }, ...part('text', 'May I?'), ...end],
}

describe.each(['replay', 'startIndex'] as const)('a stream that no package writes, taken up again by %s', (resume) => {
  it.each(Object.entries(oddities))('gives the whole, wherever it is cut: %s', async (_what, chunks) => {
    const frames = [{ type: 'start', messageId: 'm1' }, ...chunks].map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`)
    const play = async (after: number) => {
      const { fetch } = createCutServer([frames.join('')], { stream: 0, after, mode: 'error', resume })
      const run = createHeadlessRun({ fetch, resume })
      await run.begin()
      if (run.loss() !== undefined) await run.resume()
      expect(run.loss()).toBeUndefined()
      return { state: shown(run.state()), messages: run.messages() }
    }
    const whole = await play(frames.length)
    for (let after = 1; after < frames.length; after += 1) expect(await play(after), `cut after frame ${after}`).toEqual(whole)
  })

  it('shows no call as running that a person is asked about', async () => {
    const chunks = [{ type: 'start', messageId: 'm1' }, ...oddities['a question before the arguments of its call']!]
    const run = createHeadlessRun({ fetch: async () => respond(chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`)), resume })
    await run.start()
    expect(Object.values(run.state().toolCalls)).toMatchObject([{ status: 'pending' }])
    expect(Object.values(run.state().approvals)).toMatchObject([{ status: 'waiting' }])
  })
})

describe('bytes', () => {
  it.each(latest)('may be split anywhere: %s', async (...entry) => {
    const { streams, whole } = await record(entry)
    for (const pieceSize of [1, 7]) {
      const server = createCutServer(streams, { stream: -1, after: 0, mode: 'error', resume: 'replay' })
      const run = createHeadlessRun({ fetch: createFaultyFetch(server.fetch, () => ({ pieceSize })), mayResetSteps: true })
      await run.start()
      await answerAll(run, entry[1].answers ?? [])
      expect(shown(run.state())).toEqual(whole)
    }
  })
})

describe('a chunk that comes twice', () => {
  it.each(latest)('breaks no rule and changes no ending: %s', async (...entry) => {
    const { streams, whole } = await record(entry)
    const frames = framesOf(streams[0]!)
    for (let index = 0; index < frames.length; index += 1) {
      const twice = [...frames.slice(0, index + 1), ...frames.slice(index)]
      // Deltas have no number: two of the same words are two.
      const isDelta = frames[index]!.includes('-delta"')
      const run = createHeadlessRun({ fetch: async () => respond(twice), mayResetSteps: true })
      await run.start()
      expect(run.state().issues).toEqual([])
      expect(run.state().runs.r1?.status).toBe(entry[1].answers ? 'running' : whole.runs.r1?.status)
      if (isDelta) continue
      const said = (messages: ReturnType<HeadlessRun['messages']>) =>
        messages.flatMap(({ parts }) => parts.map(({ text }) => text ?? '')).join('')
      const once = createHeadlessRun({ fetch: async () => respond(frames), mayResetSteps: true })
      await once.start()
      expect(said(run.messages()), `frame ${index}`).toBe(said(once.messages()))
    }
  })
})
