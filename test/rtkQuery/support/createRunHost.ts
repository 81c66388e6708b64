import {
  createAgentEventFactory,
  replayAgentEvents,
  type AgentEvent,
  type AgentEventPayloadMap,
  type AgentEventType,
} from 'redux-agent'

interface HostedRun {
  readonly runId: string
  readonly conversationId: string
  readonly log: AgentEvent[]
  readonly streams: Set<{ push(event: AgentEvent): void; close(): void; cut(): void }>
  status: 'running' | 'interrupted' | 'completed' | 'failed' | 'cancelled'
}

/** What went over a run's wires. */
export interface WireCount {
  opened: number
  closed: number
  /** The most that were open at once. */
  atOnce: number
}

const encoder = new TextEncoder()
const json = (body: unknown, status = 200) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } })

/** A run server in memory that follows the resume protocol, whose runs say what the test makes them say. */
export function createRunHost() {
  const runs = new Map<string, HostedRun>()
  const wires = new Map<string, WireCount>()
  const requests: { method: string; path: string; headers: Headers }[] = []
  let time = 1000
  let isReachable = true
  /** How many conversation readings are still answered as the read model stood before a run's end. */
  let lag = 0
  let titleOf = (id: string) => `About ${id}`

  const wireOf = (runId: string): WireCount => {
    const known = wires.get(runId) ?? { opened: 0, closed: 0, atOnce: 0 }
    wires.set(runId, known)
    return known
  }

  function createRun(runId: string, conversationId: string) {
    const run: HostedRun = { runId, conversationId, log: [], streams: new Set(), status: 'running' }
    runs.set(runId, run)
    const events = createAgentEventFactory({ runId, sessionId: conversationId, initialSequence: 0, now: () => (time += 1) })

    function say<Type extends AgentEventType>(type: Type, payload: AgentEventPayloadMap[Type]) {
      const event = events.create(type, payload) as AgentEvent
      const ending = /^run\.(completed|failed|cancelled)$/.exec(type)?.[1]
      if (ending) run.status = ending as HostedRun['status']
      run.log.push(event)
      for (const stream of [...run.streams]) {
        stream.push(event)
        if (ending) stream.close()
      }
    }
    say('run.started', {})
    return {
      say,
      /** Says a whole turn but for its end. */
      speak(text: string, messageId = 'm1') {
        say('message.started', { messageId: 'q1', role: 'user', content: 'Hello?' })
        say('message.completed', { messageId: 'q1' })
        say('message.started', { messageId, role: 'assistant' })
        for (const delta of text.split(/(?<= )/)) say('message.delta', { messageId, delta })
      },
      end(messageId = 'm1') {
        say('message.completed', { messageId })
        say('run.completed', {})
      },
      cut: () => [...run.streams].forEach((stream) => stream.cut()),
    }
  }

  function openStream(run: HostedRun, after: number, signal: AbortSignal | null | undefined): Response {
    const wire = wireOf(run.runId)
    wire.opened += 1
    wire.atOnce = Math.max(wire.atOnce, wire.opened - wire.closed)
    let isOpen = true
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        const control = (type: string, fields: object = {}) =>
          controller.enqueue(encoder.encode(`event: ${type}\ndata: ${JSON.stringify({ type, runId: run.runId, ...fields })}\n\n`))
        const finish = (how: () => void) => {
          if (!isOpen) return
          isOpen = false
          wire.closed += 1
          run.streams.delete(stream)
          how()
        }
        const stream = {
          push(event: AgentEvent) {
            const frame = { runId: run.runId, seq: event.sequence, event, createdAt: 1 }
            controller.enqueue(encoder.encode(`id: ${event.sequence}\ndata: ${JSON.stringify(frame)}\n\n`))
          },
          close: () =>
            finish(() => {
              control('end', { seq: run.log.length })
              controller.close()
            }),
          cut: () => finish(() => controller.error(new TypeError('cut'))),
        }
        signal?.addEventListener('abort', () => finish(() => controller.error(signal.reason)))
        run.streams.add(stream)
        control('run-start', { seq: 1, assistantMessageId: 'm1' })
        for (const event of run.log.slice(after)) stream.push(event)
        if (run.status !== 'running') stream.close()
      },
      cancel() {
        if (!isOpen) return
        isOpen = false
        wire.closed += 1
      },
    })
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
  }

  function describeRun({ runId, conversationId, status, log }: HostedRun) {
    return { runId, conversationId, status, lastSeq: log.length, createdAt: 1, updatedAt: 2, model: 'm' }
  }

  function describeConversation(id: string, query: URLSearchParams) {
    const own = [...runs.values()].filter(({ conversationId }) => conversationId === id)
    const isBehind = lag > 0
    if (isBehind) lag -= 1
    const messages = own.flatMap((run) => {
      const { messages: told, order } = replayAgentEvents(run.log)
      return order
        .filter(({ kind }) => kind === 'message')
        .map((reference) => Object.values(told).find((message) => message.id === reference.id)!)
        .map(({ id: messageId, role, content, status, createdAt }) => ({
          ...{ id: messageId, runId: run.runId, role, createdAt },
          content: status === 'streaming' ? '' : content,
          status,
        }))
    })
    const limit = Number(query.get('limit') ?? 100)
    const end = query.has('before') ? Number(query.get('before')) : messages.length
    const begin = Math.max(0, end - limit)
    const page = messages.slice(begin, end)
    return {
      ...{ id, title: titleOf(id), createdAt: 1, updatedAt: time },
      messages: page,
      runs: own
        .filter(({ runId }) => page.some((message) => message.runId === runId))
        .map((run) => ({ ...describeRun(run), ...(isBehind && { lastSeq: run.log.length - 1 }) })),
      nextCursor: begin > 0 ? String(begin) : null,
    }
  }

  function answer(url: URL, init: { method: string; body: string; signal: AbortSignal | null | undefined }): Response {
    const { method, body, signal } = init
    const path = url.pathname.replace(/^.*\/api\/agent/, '')
    if (method === 'POST' && path === '/stream') {
      const asked = JSON.parse(body) as {
        runId: string
        conversationId: string
        resume?: { runId: string; lastAppliedSeq: number }
      }
      const runId = asked.resume?.runId ?? asked.runId
      if (!runs.has(runId)) createdRuns.set(runId, createRun(runId, asked.conversationId))
      return openStream(runs.get(runId)!, asked.resume?.lastAppliedSeq ?? 0, signal)
    }
    if (method === 'POST') return json({ applied: true, appliedThroughSeq: 0, events: [] })
    const [, kind, id, part] = path.split('/').map(decodeURIComponent)
    if (kind === 'conversations' && id === undefined) {
      const ids = [...new Set([...runs.values()].map(({ conversationId }) => conversationId))]
      const conversations = ids.map((known) => ({ id: known, title: titleOf(known), createdAt: 1, updatedAt: 2 }))
      const begin = Number(url.searchParams.get('before') ?? 0)
      const limit = Number(url.searchParams.get('limit'))
      const nextCursor = begin + limit < ids.length ? String(begin + limit) : null
      return json({ conversations: conversations.slice(begin, begin + limit), nextCursor })
    }
    if (kind === 'conversations') {
      const isKnown = [...runs.values()].some(({ conversationId }) => conversationId === id)
      if (!isKnown) return json({ code: 'conversation_not_found' }, 404)
      return json(describeConversation(id!, url.searchParams))
    }
    const run = runs.get(id ?? '')
    if (!run) return json({ code: 'run_not_found' }, 404)
    if (part === 'stream') return openStream(run, Number(url.searchParams.get('after')), signal)
    if (part === 'events') {
      const after = Number(url.searchParams.get('after'))
      const page = run.log.slice(after, after + Number(url.searchParams.get('limit')))
      const events = page.map((event) => ({ runId: run.runId, seq: event.sequence, event, createdAt: 1 }))
      return json({ events, lastSeq: run.log.length, status: run.status })
    }
    return json(describeRun(run))
  }

  const createdRuns = new Map<string, ReturnType<typeof createRun>>()

  const fetch: typeof globalThis.fetch = async (input, init) => {
    const request = input instanceof Request ? input : undefined
    const url = new URL(request?.url ?? String(input), 'http://host.test')
    const signal = init?.signal ?? request?.signal
    const method = init?.method ?? request?.method ?? 'GET'
    requests.push({ method, path: url.pathname + url.search, headers: new Headers(request?.headers ?? init?.headers) })
    const body = request && method !== 'GET' ? await request.text() : ((init?.body as string | undefined) ?? '')
    if (!isReachable) throw new TypeError('unreachable')
    return answer(url, { method, body, signal })
  }

  return {
    fetch,
    requests,
    createRun,
    wireOf,
    /** The runs that a client started, in the hands of the test. */
    startedRun: (runId: string) => createdRuns.get(runId)!,
    logOf: (runId: string): readonly AgentEvent[] => runs.get(runId)!.log,
    /** All wires of all runs. */
    count: () =>
      [...wires.values()].reduce(
        (sum, { opened, closed }) => ({ opened: sum.opened + opened, closed: sum.closed + closed }),
        { opened: 0, closed: 0 },
      ),
    interrupt(runId: string) {
      const run = runs.get(runId)!
      run.status = 'interrupted'
      for (const stream of [...run.streams]) stream.cut()
    },
    /** Somebody takes an interrupted run up again. */
    takeUp: (runId: string) => void (runs.get(runId)!.status = 'running'),
    setReachable: (value: boolean) => void (isReachable = value),
    setLag: (readings: number) => void (lag = readings),
    setTitle: (title: string) => void (titleOf = () => title),
    requestsOf: (part: string) => requests.filter(({ path }) => path.includes(part)),
  }
}

export type RunHost = ReturnType<typeof createRunHost>
