import { createMemoryAgentCheckpointStorage, type AgentCheckpointStorage } from 'redux-agent'
import { createOpenAIResponsesProvider, type OpenAIResponsesInput } from 'redux-agent/adapters/openai-responses'
import { describe, expect, it } from 'vitest'
import { createHarness, endOfTask, expectSilentConsole } from '../../store/createHarness.ts'
import { createWire, json, type WireAnswers } from '../openAI/createWire.ts'
import { readRecordings } from '../openAI/readRecordings.ts'
import { start } from './startApprovalRun.ts'
import { asks, goesOn, mcp, request } from './approvalScripts.ts'
import { createResponseScript } from './createResponseScript.ts'

expectSilentConsole()

const callOf = ({ state }: Awaited<ReturnType<typeof start>>, id = 'a') => state().toolCalls[`2:r1:${id}`]
const approvalOf = ({ state }: Awaited<ReturnType<typeof start>>, id = 'a') => state().approvals[`2:r1:${id}`]

describe('an MCP server’s request', () => {
  it('is an approval that cannot be edited, of a call that waits; the run is parked', async () => {
    const run = await start([asks(['a'])])
    expect(run.run().status).toBe('running')
    expect(run.connection('r1')).toMatchObject({ state: 'idle', detached: false })
    expect(callOf(run)).toMatchObject({ name: 'find', arguments: '{"q":1}', status: 'pending' })
    expect(approvalOf(run)).toMatchObject({
      toolCallId: 'a',
      description: 'docs: find',
      data: { q: 1 },
      editable: false,
      status: 'waiting',
    })
    await expect(run.resolve('a', 'modified')).rejects.toMatchObject({ code: 'not_editable' })
    expect(run.sent).toHaveLength(1)
  })

  it('that is approved goes on as the same run, with the call that was asked for', async () => {
    const run = await start([asks(['a']), goesOn(['a'])])
    await run.resolve('a')
    await run.settle()
    expect(run.sent[1]!.body).toEqual({
      model: 'm',
      tools: [mcp],
      previous_response_id: 'resp_1',
      input: [{ type: 'mcp_approval_response', approval_request_id: 'a', approve: true }],
      stream: true,
    })
    expect(approvalOf(run)).toMatchObject({ status: 'completed', decision: 'approved' })
    expect(callOf(run)).toMatchObject({ status: 'completed', arguments: '{"q":1}', result: 'Found a.' })
    expect(Object.keys(run.state().toolCalls)).toHaveLength(1)
    expect(run.run()).toMatchObject({ status: 'completed', output: { responseId: 'resp_2' } })
    expect(run.state().issues).toEqual([])
    expect(run.commands().map(({ status }) => status)).toEqual(['succeeded'])
    expect(run.connection('r1')?.state).toBe('idle')
  })

  it('that is denied cancels its call, and the run goes on', async () => {
    const run = await start([asks(['a']), goesOn([])])
    await run.resolve('a', 'rejected')
    await run.settle()
    expect(run.sent[1]!.body.input).toEqual([
      { type: 'mcp_approval_response', approval_request_id: 'a', approve: false },
    ])
    expect(approvalOf(run)).toMatchObject({ decision: 'rejected' })
    expect(callOf(run)).toMatchObject({ status: 'cancelled', reason: 'It was not approved.' })
    expect(run.run().status).toBe('completed')
  })

  it('beside others waits for their answers: all are sent at once', async () => {
    const run = await start([asks(['a', 'b']), goesOn(['a'])])
    await run.resolve('b', 'rejected')
    await run.settle()
    expect(run.sent).toHaveLength(1)
    expect(approvalOf(run, 'b')?.status).toBe('waiting')
    await run.resolve('a')
    await run.settle()
    expect(run.sent[1]!.body.input).toEqual([
      { type: 'mcp_approval_response', approval_request_id: 'a', approve: true },
      { type: 'mcp_approval_response', approval_request_id: 'b', approve: false },
    ])
    expect([approvalOf(run)?.decision, approvalOf(run, 'b')?.decision]).toEqual(['approved', 'rejected'])
    expect(run.run().status).toBe('completed')
    expect(run.state().issues).toEqual([])
  })

  it('may come again in what goes on', async () => {
    const run = await start([asks(['a']), asks(['b'], { id: 'resp_2' }), goesOn(['b'], { id: 'resp_3' })])
    await run.resolve('a')
    await run.settle()
    expect(run.run().status).toBe('running')
    // It was approved, and not called.
    expect(callOf(run)).toMatchObject({ status: 'cancelled' })
    await run.resolve('b')
    await run.settle()
    expect(run.sent[2]!.body).toMatchObject({ previous_response_id: 'resp_2' })
    expect(run.run()).toMatchObject({ status: 'completed', output: { responseId: 'resp_3' } })
    expect(run.state().issues).toEqual([])
  })

  it('beside calls of the app’s is sent with the word that these were not run', async () => {
    const call = { type: 'function_call', id: 'fc', call_id: 'c', name: 'look', arguments: '{}' }
    const run = await start([asks(['a'], { more: [call] }), goesOn(['a']), goesOn([], { id: 'resp_3' })])
    expect(callOf(run, 'c')?.status).toBe('cancelled')
    await run.resolve('a')
    await run.settle()
    expect(run.sent[1]!.body.input).toEqual([
      { type: 'function_call_output', call_id: 'c', output: 'The app did not run this call.' },
      { type: 'mcp_approval_response', approval_request_id: 'a', approve: true },
    ])
    const { provider, store, agent } = run
    await store.dispatch(agent.actions.startRun({ sessionId: 's1', provider, input: { message: 'And?' } })).unwrap()
    expect(run.sent[2]!.body).toMatchObject({
      previous_response_id: 'resp_2',
      input: [{ role: 'user', content: 'And?' }],
    })
  })

  it('whose answer the service refuses waits on, and can be answered again', async () => {
    const run = await start([asks(['a']), json({ error: { code: 'bad_request' } }, 400), goesOn(['a'])])
    await expect(run.resolve('a')).rejects.toMatchObject({ code: 'http_status' })
    expect(approvalOf(run)?.status).toBe('waiting')
    expect(run.run().status).toBe('running')
    await run.resolve('a')
    await run.settle()
    // Whoever takes a request once by its key takes the same answer once.
    const keys = run.sent.map(({ headers }) => headers.get('idempotency-key'))
    expect(keys).toEqual([null, expect.stringContaining('r1:command:'), keys[1]])
    expect(run.run().status).toBe('completed')
  })

  it('whose continuation is lost fails the run: it cannot be taken up again', async () => {
    const run = await start([asks(['a']), goesOn(['a']).slice(0, 5)])
    await run.resolve('a')
    await run.settle()
    expect(approvalOf(run)?.decision).toBe('approved')
    expect(run.run()).toMatchObject({ status: 'failed', error: { code: 'incomplete' } })
    expect(callOf(run)?.status).toBe('failed')
    expect(run.state().issues).toEqual([])
  })

  it('in an incomplete or failed response asks nothing', async () => {
    for (const type of ['incomplete', 'failed'] as const) {
      const script = createResponseScript()
      script.begin(request('a'))
      script.done(request('a'))
      const run = await start([script.end(type)])
      expect(run.state().approvals).toEqual({})
      expect(callOf(run)?.status).toBe(type === 'failed' ? 'failed' : 'cancelled')
      expect(run.run().status).toBe(type === 'failed' ? 'failed' : 'completed')
    }
  })

  it('of a service that keeps nothing is answered with the whole conversation', async () => {
    const reasoning = { type: 'reasoning', id: 'rs', summary: [], encrypted_content: 'gAAA' }
    const answers = [asks(['a'], { more: [reasoning] }), goesOn(['a']), goesOn([], { id: 'resp_3' })]
    const run = await start(answers, { store: false })
    await run.resolve('a')
    await run.settle()
    const before = [
      { role: 'user', content: 'Find it.' },
      reasoning,
      request('a'),
      { type: 'mcp_approval_response', approval_request_id: 'a', approve: true },
    ]
    expect(run.sent[0]!.body).toMatchObject({ store: false, include: ['reasoning.encrypted_content'] })
    expect(run.sent[1]!.body.previous_response_id).toBeUndefined()
    expect(run.sent[1]!.body.input).toEqual(before)
    const { provider, store, agent } = run
    await store.dispatch(agent.actions.startRun({ sessionId: 's1', provider, input: { message: 'And?' } })).unwrap()
    const call = { type: 'mcp_call', id: 'call_a', approval_request_id: 'a', name: 'find', server_label: 'docs' }
    expect(run.sent[2]!.body.input).toEqual(
      expect.arrayContaining([
        ...before,
        { ...call, arguments: '{"q":1}', output: 'Found a.' },
        { role: 'assistant', content: 'Done.' },
        { role: 'user', content: 'And?' },
      ]),
    )
  })
})

describe('an approval that is left over a reload', () => {
  async function reload(storage: AgentCheckpointStorage, answers: WireAnswers, options = {}) {
    const wire = createWire(...answers)
    const provider = createOpenAIResponsesProvider({ ...options, fetch: wire.fetch })
    const harness = createHarness({ providers: [provider], checkpointStorage: storage, ids: ['r1', 'r2'] })
    const { store, agent } = harness
    await store.dispatch(agent.actions.openSession({ sessionId: 's1' })).unwrap()
    async function settle() {
      for (let count = 0; count < 20; count += 1) {
        await endOfTask()
        harness.fireFrame()
        harness.fireAllTimers()
      }
    }
    return { ...harness, provider, sent: wire.sent, settle }
  }

  it.each([{ background: false }, { background: true }])('is answered by the next page, %o', async ({ background }) => {
    const storage = createMemoryAgentCheckpointStorage()
    const first = await reload(storage, [asks(['a', 'b'])], { background })
    const input: OpenAIResponsesInput = { message: 'Find it.', model: 'm', tools: [mcp] }
    const { provider } = first
    await first.store.dispatch(first.agent.actions.startRun({ sessionId: 's1', provider, input })).unwrap()
    await first.settle()
    // What was answered and not sent is asked again: nobody but the page knew of it.
    await first.store
      .dispatch(first.agent.actions.resolveApproval({ runId: 'r1', approvalId: 'a', decision: 'approved' }))
      .unwrap()
    await first.settle()

    const second = await reload(storage, [goesOn(['a'])], { background })
    expect(second.connection('r1')).toMatchObject({ state: 'idle' })
    expect(second.sent).toEqual([])
    for (const [approvalId, decision] of [
      ['a', 'approved'],
      ['b', 'rejected'],
    ] as const) {
      await second.store.dispatch(second.agent.actions.resolveApproval({ runId: 'r1', approvalId, decision })).unwrap()
    }
    await second.settle()
    expect(second.sent).toHaveLength(1)
    expect(second.sent[0]!.body).toMatchObject({ model: 'm', tools: [mcp], previous_response_id: 'resp_1' })
    expect(second.state().runs.r1).toMatchObject({ status: 'completed', output: { responseId: 'resp_2' } })
    expect(second.state().issues).toEqual([])
  })
})

describe('a continuation in the background', () => {
  it('is taken up again where it broke, after each of its chunks', async () => {
    const rest = goesOn(['a'])
    const whole = await start([asks(['a']), rest], { background: true, baseUrl: 'https://api.example.com/v1' })
    await whole.resolve('a')
    await whole.settle()
    for (let count = 1; count < rest.length; count += 1) {
      const answers: WireAnswers = [
        asks(['a']),
        rest.slice(0, count),
        ({ url }) => rest.slice(Number(new URL(url).searchParams.get('starting_after')) + 1),
      ]
      const run = await start(answers, { background: true, baseUrl: 'https://api.example.com/v1' })
      await run.resolve('a')
      for (let turn = 0; turn < 20; turn += 1) {
        await endOfTask()
        run.fireFrame()
        run.fireAllTimers()
      }
      expect(run.sent[2]).toMatchObject({
        method: 'GET',
        url: `https://api.example.com/v1/responses/resp_2?stream=true&starting_after=${count - 1}`,
      })
      expect(run.state()).toEqual(whole.state())
    }
  })
})

describe('a recorded approval', () => {
  const recordings = readRecordings('openai-responses')
  const asked = recordings.filter(({ name }) => name.endsWith('mcp-tool-approval.1'))
  it.each(asked)('is asked, denied, and gone on with: $name', async ({ name: first }) => {
    const chunksOf = (part: number) =>
      recordings.find(({ name }) => name === first.replace(/1$/, String(part)))!.chunks
    const run = await start([chunksOf(1), chunksOf(2)])
    const [approval] = Object.values(run.state().approvals)
    await run.resolve(approval!.id, 'rejected')
    await run.settle()
    expect(run.run().status).toBe('completed')
    const said = chunksOf(2)
      .map(({ type, delta }) => (type === 'response.output_text.delta' ? delta : ''))
      .join('')
    expect(Object.values(run.state().messages).at(-1)?.content).toBe(said)
    expect(run.state().issues).toEqual([])
  })
})
