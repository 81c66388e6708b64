import { spawn, spawnSync } from 'node:child_process'
import { Readable } from 'node:stream'
import { runAgentProvider, type AgentEvent } from 'redux-agent'
import { createRunServerProvider } from 'redux-agent/adapters/run-server'
import { afterEach, describe, expect, it } from 'vitest'
import { createLives } from './support/createLives.ts'
import { createGate, createScriptedModel, finish, say, think } from './support/createScriptedModel.ts'
import { envelopeOf, readAll, readFrames, readUntil } from './support/readFrames.ts'
import type { TestBrowser } from './support/createBrowser.ts'

/** How a stream that was taken up ended: the last control frame, or what the library makes of it. */
type Ending = 'end' | 'resume-unavailable'

/** Somebody who begins to read a run, goes away, and takes it up where they were. */
interface Client {
  /** Starts the run and reads up to the first piece of its answer. */
  begin(server: { url: string; browser: TestBrowser; runId: string }): Promise<AgentEvent[]>
  /** What comes after that, and how it ends. */
  resume(
    server: { url: string; browser: TestBrowser; runId: string },
    onEvent?: () => void,
  ): Promise<{ events: AgentEvent[]; ending: Ending }>
}

function createLibraryClient(): Client {
  let cursor: string | undefined
  let last = 0
  const createProvider = (url: string, browser: TestBrowser) =>
    createRunServerProvider({
      baseUrl: url,
      fetch: (input, init) => browser.send(String(input).slice(url.length), init),
    })
  return {
    async begin({ url, browser, runId }) {
      const controller = new AbortController()
      const events: AgentEvent[] = []
      await runAgentProvider({
        provider: createProvider(url, browser),
        input: { message: 'Go' },
        run: { sessionId: 'c1', runId, signal: controller.signal },
        onEvent: (event) => void events.push(event),
        onCursor(next) {
          cursor = next
          last = events.length
          if (events.at(-1)?.type === 'message.delta') controller.abort()
        },
      })
      return events
    },
    async resume({ url, browser, runId }, onEvent) {
      const events: AgentEvent[] = []
      let ending: Ending = 'end'
      await runAgentProvider({
        provider: createProvider(url, browser),
        input: { message: 'Go' },
        run: { sessionId: 'c1', runId, initialSequence: last },
        resume: { cursor: cursor! },
        onEvent(event) {
          events.push(event)
          onEvent?.()
        },
        onTransportError(error) {
          expect(error).toMatchObject({ code: 'resume_unavailable', retryable: false })
          ending = 'resume-unavailable'
          return 'stop'
        },
      })
      return { events, ending }
    },
  }
}

/** Plain HTTP: by curl where there is one, else by fetch. */
function createCurlClient(): Client {
  let last = 0
  const post = async (url: string, browser: TestBrowser, body: object) => {
    const headers = { 'content-type': 'application/json', cookie: browser.getCookie() ?? '' }
    const data = JSON.stringify(body)
    const target = `${url}/api/agent/stream`
    if (spawnSync('curl', ['--version']).status !== 0) {
      const response = await fetch(target, { method: 'POST', headers, body: data })
      return { response, leave: () => void response.body!.cancel().catch(() => undefined) }
    }
    const lines = Object.entries(headers).flatMap(([name, value]) => ['--header', `${name}: ${value}`])
    const curl = spawn('curl', ['--silent', '--no-buffer', '--fail', ...lines, '--data', data, target])
    return { response: new Response(Readable.toWeb(curl.stdout) as ReadableStream), leave: () => void curl.kill() }
  }
  return {
    async begin({ url, browser, runId }) {
      // So that its cookie is there.
      await browser.request('GET', '/api/agent/conversations')
      const messages = [{ role: 'user', content: 'Go' }]
      const { response, leave } = await post(url, browser, { runId, conversationId: 'c1', messages })
      const events: AgentEvent[] = []
      for await (const frame of readFrames(response)) {
        if (frame.name !== 'message') continue
        events.push(envelopeOf(frame).event)
        if (events.at(-1)!.type === 'message.delta') break
      }
      leave()
      last = events.length
      return events
    },
    async resume({ url, browser, runId }, onEvent) {
      const { response } = await post(url, browser, { resume: { runId, lastAppliedSeq: last } })
      const events: AgentEvent[] = []
      const controls: string[] = []
      for await (const frame of readFrames(response)) {
        if (frame.name === 'message') {
          events.push(envelopeOf(frame).event)
          onEvent?.()
        } else {
          controls.push(frame.name)
          if (frame.name === 'resume-unavailable') expect(frame.data).toMatchObject({ recoverable: false })
        }
      }
      expect(controls[0]).toBe('resume-start')
      return { events, ending: controls.at(-1) as Ending }
    },
  }
}

let lives: ReturnType<typeof createLives>
afterEach(() => lives.close())

const words = (text: string) => text.split(/(?<= )/).map(say)
const textOf = (events: readonly AgentEvent[]) =>
  events.map((event) => (event.type === 'message.delta' ? String(event.payload.delta) : '')).join('')

describe.each([
  ['the library’s adapter', createLibraryClient],
  ['curl', createCurlClient],
])('taking a run up again in its middle, by %s', (_name, createClient) => {
  const begin = async (options: { script: readonly unknown[]; second?: readonly unknown[] }) => {
    lives = createLives()
    const model = createScriptedModel([options.script, options.second ?? finish('stop')])
    const { url, createBrowser } = await lives.live({ model, defaultModel: 'old', isRecovering: false })
    const at = { url, browser: createBrowser(), runId: 'r1' }
    const client = createClient()
    const seen = await client.begin(at)
    const log = async () => {
      const { body } = await at.browser.request<{ events: { event: AgentEvent }[]; status: string }>(
        'GET',
        '/api/agent/runs/r1/events',
      )
      return { events: body.events.map(({ event }) => event), status: body.status }
    }
    return { client, at, seen, log }
  }
  /** Until nothing more comes of the run by itself. */
  const whenOver = async ({ browser }: { browser: TestBrowser }) => readAll(await browser.follow('r1'))

  it('of a run that is running: what was missed and what comes are one log without a seam', async () => {
    const [away, back] = [createGate(), createGate()]
    const rest = [say('two '), back.opened, ...words('three four.'), ...finish('stop')]
    const { client, at, seen, log } = await begin({ script: [think('Hm'), say('One '), away.opened, ...rest] })
    const other = await at.browser.follow('r1', seen.length)
    away.open()
    await readUntil(other, 'message.delta')
    // What was missed is there, and the rest comes once it has arrived.
    const { events, ending } = await client.resume(at, () => back.open())
    await readAll(other)
    expect(ending).toBe('end')
    const whole = await log()
    expect([...seen, ...events]).toEqual(whole.events)
    expect([whole.status, textOf(whole.events)]).toEqual(['completed', 'One two three four.'])
  })

  it('of a run that is completed: what was missed, and the end', async () => {
    const goOn = createGate()
    const script = [say('One '), goOn.opened, ...words('two three.'), ...finish('stop')]
    const { client, at, seen, log } = await begin({ script })
    goOn.open()
    await whenOver(at)
    const { events, ending } = await client.resume(at)
    expect(ending).toBe('end')
    expect([...seen, ...events]).toEqual((await log()).events)
    expect(events.at(-1)!.type).toBe('run.completed')
  })

  it('of a run that is interrupted, with a checkpoint: it goes on under the same run', async () => {
    const goOn = createGate()
    // The model breaks off without a word of why.
    const script = [say('One '), goOn.opened, say('two ')]
    const { client, at, seen, log } = await begin({ script, second: [...words('three.'), ...finish('stop')] })
    goOn.open()
    await whenOver(at)
    expect((await log()).status).toBe('interrupted')
    const { events, ending } = await client.resume(at)
    expect(ending).toBe('end')
    const whole = await log()
    expect([...seen, ...events]).toEqual(whole.events)
    expect([whole.status, textOf(whole.events)]).toEqual(['completed', 'One two three.'])
  })

  it('of a run that cannot be gone on with: it is told so, after what there is of it', async () => {
    const goOn = createGate()
    const { client, at, seen, log } = await begin({ script: [say('One '), goOn.opened, say('two ')] })
    goOn.open()
    await whenOver(at)
    // Its model is gone.
    const { url, createBrowser } = await lives.live({ defaultModel: 'new', isRecovering: false })
    const later = { ...at, url, browser: createBrowser(at.browser.getCookie()) }
    const { events, ending } = await client.resume(later)
    expect(ending).toBe('resume-unavailable')
    const whole = await log()
    expect([...seen, ...events]).toEqual(whole.events)
    expect(whole.status).toBe('interrupted')
  })
})
