import { createMemoryAgentCheckpointStorage, type AgentCheckpointStorage } from 'redux-agent'
import { createOpenAIResponsesProvider } from 'redux-agent/adapters/openai-responses'
import { describe, expect, it } from 'vitest'
import { createHarness, endOfTask, expectSilentConsole } from '../../store/createHarness.ts'
import { toSse, type SentRequest } from '../openAI/createWire.ts'
import { mcp, request } from './approvalScripts.ts'
import { createResponseScript } from './createResponseScript.ts'
import { runResponse, callsOf } from './runResponse.ts'

expectSilentConsole()

/** A response of a run, as a service sends it whose ids are those of one response alone. */
function createLeg(options: { id: string; approved?: string; words: string; asks: readonly string[] }) {
  const { id, approved, words, asks } = options
  const script = createResponseScript({ id })
  const list = { type: 'mcp_list_tools', id: 'list', server_label: 'docs', tools: [{ name: 'find' }] }
  script.begin({ ...list, tools: [] })
  script.done(list)
  const thought = { type: 'reasoning', id: 'thought', summary: [] }
  script.begin(thought)
  script.done({ ...thought, summary: [{ type: 'summary_text', text: `Of ${words}` }] })
  if (approved) {
    const call = { type: 'mcp_call', id: 'call', approval_request_id: approved, name: 'find', server_label: 'docs' }
    script.begin({ ...call, arguments: '' })
    script.done({ ...call, arguments: '{"q":1}', output: `Found for ${words}` })
  }
  script.message(words, 4)
  for (const asked of asks) {
    script.begin(request(asked))
    script.done(request(asked))
  }
  return script.complete()
}

const legs = [
  createLeg({ id: 'resp_1', words: 'First words.', asks: ['a', 'b'] }),
  createLeg({ id: 'resp_2', approved: 'a', words: 'Second words.', asks: ['a'] }),
  createLeg({ id: 'resp_3', approved: 'a', words: 'Last words.', asks: [] }),
]

/** A service in the background, one of whose streams breaks off once: it hangs until its page is gone, or is cut. */
function createService(fault?: { leg: number; after: number; end: 'hangs' | 'is cut' }) {
  const sent: SentRequest[] = []
  let isDue = fault !== undefined
  function stream(chunks: readonly unknown[], end?: 'hangs' | 'is cut'): Response {
    const bytes = new TextEncoder().encode(toSse(chunks))
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        if (bytes.length > 0) controller.enqueue(bytes)
        if (end === undefined) controller.close()
      },
      pull: (controller) => (end === 'hangs' ? new Promise(() => undefined) : controller.error(new TypeError('Cut.'))),
    })
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
  }
  const fetch: typeof globalThis.fetch = async (target, init) => {
    init?.signal?.throwIfAborted()
    const url = new URL(String(target))
    const method = init?.method ?? 'GET'
    const text = typeof init?.body === 'string' ? init.body : '{}'
    const body = JSON.parse(text) as Record<string, unknown>
    sent.push({ url: url.href, method, headers: new Headers(init?.headers), body })
    if (method === 'GET') {
      const leg = legs[Number(url.pathname.slice(-1)) - 1]!
      return stream(leg.slice(Number(url.searchParams.get('starting_after')) + 1))
    }
    const number = Number(String(body.previous_response_id ?? 'resp_0').slice(-1))
    if (!isDue || number !== fault!.leg) return stream(legs[number]!)
    isDue = false
    return stream(legs[number]!.slice(0, fault!.after), fault!.end)
  }
  return { fetch, sent }
}

async function openPage(service: ReturnType<typeof createService>, id: string, checkpointStorage: AgentCheckpointStorage) {
  const options = { baseUrl: 'https://api.example.com/v1', model: 'm', tools: [mcp], background: true }
  const provider = createOpenAIResponsesProvider({ ...options, fetch: service.fetch })
  const page = createHarness({ providers: [provider], ids: [id], frames: false, checkpointStorage })
  const { actions } = page.agent
  async function settle() {
    for (let turn = 0; turn < 25; turn += 1) {
      await endOfTask()
      // Waits before another try are over at once; commands have all the time that they need.
      for (const delay of page.delays()) if (delay < 9000) page.fireTimers(delay)
    }
  }
  const waiting = () => Object.values(page.state().approvals).filter(({ status }) => status === 'waiting')
  await page.store.dispatch(actions.openSession({ sessionId: 's1' })).unwrap()
  await settle()
  return {
    ...page,
    settle,
    async start() {
      void page.store.dispatch(actions.startRun({ sessionId: 's1', provider, input: { message: 'Go' } }))
      await settle()
    },
    /** Approves all that is asked but `b`, each once, until nothing new is asked. */
    async answerAll() {
      const answered = new Set<string>()
      const next = () => waiting().find(({ id: asked }) => !answered.has(asked))?.id
      for (let approvalId = next(); approvalId !== undefined; approvalId = next()) {
        answered.add(approvalId)
        const decision = approvalId === 'b' ? ('rejected' as const) : ('approved' as const)
        void page.store.dispatch(actions.resolveApproval({ runId: 'r1', approvalId, decision }))
        // oxlint-disable-next-line no-await-in-loop -- as a person answers
        await settle()
      }
    },
    /** What a person sees of it, and what was refused. */
    shown() {
      const { runs, messages, reasoning, toolCalls, approvals, tasks, issues } = page.state()
      const pick = (record: object) =>
        Object.values(record as Record<string, Record<string, unknown>>).map(
          ({ id: own, status, content, name, arguments: text, result, decision }) =>
            ({ own, status, content, name, text, result, decision }),
        )
      const all = [messages, reasoning, toolCalls, approvals, tasks].map(pick)
      return { status: runs.r1?.status, all, issues }
    },
  }
}

async function playWhole() {
  const service = createService()
  const page = await openPage(service, 'r1', createMemoryAgentCheckpointStorage())
  await page.start()
  await page.answerAll()
  return { page, service }
}

describe('a run of three responses, whose ids come again in each', () => {
  it('says all that it has to say, asks all that it has to ask, and answers by the service’s own ids', async () => {
    const { page, service } = await playWhole()
    const { messages, reasoning, toolCalls, approvals, issues } = page.state()
    expect(Object.values(messages).map(({ content }) => content)).toEqual(['Go', 'First words.', 'Second words.', 'Last words.'])
    expect(Object.values(reasoning).map(({ content }) => content)).toEqual(['Of First words.', 'Of Second words.', 'Of Last words.'])
    expect(Object.values(toolCalls).map(({ status, result }) => result ?? status)).toEqual([
      'Found for Second words.',
      'cancelled',
      'Found for Last words.',
    ])
    expect(Object.values(approvals).map(({ decision }) => decision)).toEqual(['approved', 'rejected', 'approved'])
    expect(service.sent.slice(1).map(({ body }) => body.input)).toEqual([
      [
        { type: 'mcp_approval_response', approval_request_id: 'a', approve: true },
        { type: 'mcp_approval_response', approval_request_id: 'b', approve: false },
      ],
      [{ type: 'mcp_approval_response', approval_request_id: 'a', approve: true }],
    ])
    expect(issues).toEqual([])
    expect(page.state().runs.r1?.status).toBe('completed')
  })

  it.each(['hangs', 'is cut'] as const)('is whole where a stream %s after any chunk, and the page is reloaded or not', async (end) => {
    const whole = (await playWhole()).page.shown()
    for (const [leg, chunks] of legs.entries()) {
      // Of a first response that has not begun nothing is known that could be taken up.
      for (let after = leg === 0 ? 1 : 0; after < chunks.length; after += 1) {
        const service = createService({ leg, after, end })
        const storage = createMemoryAgentCheckpointStorage()
        let page = await openPage(service, 'r1', storage)
        await page.start()
        await page.answerAll()
        if (end === 'hangs') {
          page.hide()
          await page.settle()
          page = await openPage(service, 'r2', storage)
          await page.settle()
        }
        await page.answerAll()
        expect(page.shown(), `response ${leg + 1} after chunk ${after}`).toEqual(whole)
      }
    }
  })
})

describe('calls of one response under one id', () => {
  const asked = (n: number) => ({ type: 'function_call', id: `fc_${n}`, call_id: 'look', name: 'look' })
  it('are told apart, also where their arguments come in turn', async () => {
    const script = createResponseScript()
    script.begin({ ...asked(0), arguments: '' })
    script.begin({ ...asked(1), arguments: '' })
    for (const [index, delta] of [[0, '{"n":'], [1, '{"n":1'], [0, '0}'], [1, '}']] as const) {
      script.send({ type: 'response.function_call_arguments.delta', item_id: `fc_${index}`, output_index: index, delta })
    }
    for (const n of [0, 1]) {
      script.send({ type: 'response.output_item.done', output_index: n, item: { ...asked(n), arguments: `{"n":${n}}` } })
    }
    const { state } = await runResponse(script.complete())
    expect(callsOf(state).map(({ id, text }) => [id, text])).toEqual([['look', '{"n":0}'], ['look#2', '{"n":1}']])
  })

  it('are answered one by one, under that id', async () => {
    const script = createResponseScript()
    for (const n of [0, 1]) {
      script.begin({ ...asked(n), arguments: '' })
      script.done({ ...asked(n), arguments: `{"n":${n}}` })
    }
    const bodies: Record<string, unknown>[] = []
    const provider = createOpenAIResponsesProvider({
      model: 'm',
      async fetch(_url, init) {
        bodies.push(JSON.parse(String(init!.body)) as Record<string, unknown>)
        return new Response(toSse(script.complete()), { headers: { 'content-type': 'text/event-stream' } })
      },
    })
    const { store, agent } = createHarness({ providers: [provider], ids: ['r1', 'r2'] })
    const run = (input: object) => store.dispatch(agent.actions.startRun({ sessionId: 's1', provider, input })).unwrap()
    await run({ message: 'Look.' })
    await run({ toolResults: [{ toolCallId: 'look', result: 'One' }, { toolCallId: 'look#2', result: 'Two' }] })
    expect(bodies[1]!.input).toEqual([
      { type: 'function_call_output', call_id: 'look', output: 'One' },
      { type: 'function_call_output', call_id: 'look', output: 'Two' },
    ])
  })
})

it('a message that the service calls as the person’s own is another one', async () => {
  const script = createResponseScript()
  const item = { type: 'message', id: 'user', role: 'assistant', content: [{ type: 'output_text', text: 'Good day.' }] }
  script.begin({ ...item, content: [] })
  script.done(item)
  const { state } = await runResponse(script.complete())
  expect(Object.values(state.messages).map(({ role, content }) => [role, content])).toEqual([['user', 'Hello'], ['assistant', 'Good day.']])
})
