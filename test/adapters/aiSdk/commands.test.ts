import { runAgentCommand } from 'redux-agent'
import { createAiSdkProvider, type AiSdkMessage } from 'redux-agent/adapters/ai-sdk'
import { createGate, validateAgentProviderCommands, validateAgentProviderEvents } from 'redux-agent/testing'
import { describe, expect, it } from 'vitest'
import { finished } from './chunks.ts'
import { call, createAiServer, finish, say, streamOf, type AiServerOptions, type ModelPart } from './createAiServer.ts'
import { createHeadlessRun, waitingApproval } from './runHeadless.ts'

const go = (...parts: (ModelPart | ModelPart[])[]) => parts.flat()
const deployOnce = go(call('deploy', { city: 'Rome' }), finish('tool-calls'))
const stopUrl = 'https://chat.example.com/api/chat/stop'

async function park(options: Omit<AiServerOptions, 'version'>, more: Parameters<typeof createHeadlessRun>[0] = {}) {
  const server = createAiServer({ version: 7, ...options })
  const run = createHeadlessRun({ fetch: server.fetch, getStopUrl: () => stopUrl, ...more })
  await run.start()
  return { server, run }
}

const assistantPart = (messages: readonly AiSdkMessage[] | undefined, toolCallId: string) =>
  messages?.at(-1)?.parts.find((part) => part.toolCallId === toolCallId)

describe('an approval', () => {
  it('goes back as it came, with the decision, in one request that carries its key twice', async () => {
    const { server, run } = await park(
      { steps: [deployOnce, go(say('Done.'), finish())], stream: { experimental_toolApprovalSecret: 'secret' } },
      { headers: async () => ({ authorization: 'Bearer t1' }), body: { model: 'm' } },
    )
    const asked = assistantPart(run.messages(), 'deploy-1')!
    expect(asked).toMatchObject({ state: 'approval-requested', approval: { signature: expect.any(String) } })
    const approvalId = waitingApproval(run, 'deploy-1')
    const command = run.commands.create('approval.resolve', { approvalId, decision: 'approved' })
    await run.command(command)
    const request = server.requests[1]!
    expect(request).toMatchObject({ method: 'POST', body: { id: 's1', trigger: 'submit-message', model: 'm' } })
    expect(request.body.idempotencyKey).toBe(command.idempotencyKey)
    expect(request.headers.get('idempotency-key')).toBe(command.idempotencyKey)
    expect(request.headers.get('authorization')).toBe('Bearer t1')
    expect(request.body.messageId).toBe(run.messages()[1]!.id)
    expect(assistantPart(request.body.messages, 'deploy-1')).toEqual({
      ...asked,
      state: 'approval-responded',
      approval: { ...(asked.approval as object), approved: true },
    })
    expect(server.runs).toEqual(['deploy Rome'])
    expect(run.state().runs.r1?.status).toBe('completed')
  })

  it('waits for the others of its step, and goes with them', async () => {
    const both = go(
      call('deploy', { city: 'Rome' }, 'a'),
      call('deploy', { city: 'Oslo' }, 'b'),
      call('ask', { city: 'Bern' }, 'c'),
      finish('tool-calls'),
    )
    const { server, run } = await park({ steps: [both, go(say('Done.'), finish())] })
    const before = run.events.length
    await run.answer(waitingApproval(run, 'a'))
    await run.answer(waitingApproval(run, 'c'), 'modified', 'blue')
    await run.answer(waitingApproval(run, 'a'), 'rejected', 'I changed my mind.')
    expect(server.requests).toHaveLength(1)
    expect(run.events).toHaveLength(before)
    await run.answer(waitingApproval(run, 'b'))
    expect(server.requests).toHaveLength(2)
    const sent = server.requests[1]!.body.messages
    expect(assistantPart(sent, 'a')).toMatchObject({ approval: { approved: false, reason: 'I changed my mind.' } })
    expect(assistantPart(sent, 'b')).toMatchObject({ approval: { approved: true } })
    expect(assistantPart(sent, 'c')).toMatchObject({ state: 'output-available', output: 'blue' })
    expect(server.runs).toEqual(['deploy Oslo'])
    expect(run.state().toolCalls['2:r1:a']).toMatchObject({ status: 'cancelled', reason: 'denied' })
    expect(run.state().toolCalls['2:r1:c']).toMatchObject({ status: 'completed', result: 'blue' })
    expect(validateAgentProviderEvents(run.provider.capabilities, run.events)).toEqual([])
  })

  it('that is answered while its stream is open is sent once that has ended, on the same wire', async () => {
    const gate = createGate()
    const slow = async () => {
      await gate.pass(new AbortController().signal)
      return 'warm'
    }
    const server = createAiServer({
      version: 7,
      steps: [
        go(call('deploy', { city: 'Rome' }, 'a'), call('weather', { city: 'Rome' }, 'b'), finish('tool-calls')),
        go(say('Both.'), finish()),
      ],
    })
    Object.assign(server.tools.weather, { execute: slow })
    const run = createHeadlessRun({ fetch: server.fetch })
    const reading = run.start()
    await gate.reached
    while (Object.keys(run.state().approvals).length === 0) await Promise.resolve()
    await run.answer(waitingApproval(run, 'a'))
    expect(server.requests).toHaveLength(1)
    gate.open()
    await reading
    expect(server.requests).toHaveLength(2)
    expect(server.runs).toEqual(['deploy Rome'])
    expect(run.state().runs.r1?.status).toBe('completed')
    expect(validateAgentProviderEvents(run.provider.capabilities, run.events)).toEqual([])
  })

  it('of which nothing comes waits as before, and says why', async () => {
    const failures: Record<string, () => Response> = {
      refused: () => streamOf([{ type: 'start' }, { type: 'start-step' }, { type: 'error', errorText: 'Overloaded.' }]),
      http_status: () => new Response('{"code":"busy"}', { status: 503 }),
      incomplete: () => streamOf([{ type: 'start' }], { done: false }),
      invalid_frame: () => streamOf([{ type: 'text-start' }]),
      content_type: () => new Response('<html>', { headers: { 'content-type': 'text/html' } }),
    }
    for (const [code, answer] of Object.entries(failures)) {
      const { run } = await park({
        steps: [deployOnce, go(say('Done.'), finish())],
        answer: (_, index) => (index === 1 ? answer() : undefined),
      })
      const before = run.state()
      const approvalId = waitingApproval(run, 'deploy-1')
      await expect(run.answer(approvalId)).rejects.toMatchObject({ code })
      expect(run.state()).toBe(before)
      await run.answer(approvalId)
      expect(run.state().runs.r1?.status).toBe('completed')
    }
  })

  it('whose words of refusal are the server’s is shown them', async () => {
    const { run } = await park({
      steps: [deployOnce],
      answer: (_, index) => (index === 1 ? streamOf([{ type: 'error', errorText: 'Signature is stale.' }]) : undefined),
    })
    await expect(run.answer(waitingApproval(run, 'deploy-1'))).rejects.toMatchObject({
      name: 'AiSdkError',
      code: 'refused',
      retryable: true,
      message: 'ai-sdk: The server did not go on from the answer (Signature is stale.). Answer again.',
    })
  })

  it('that the server decides by itself asks nobody', async () => {
    const decided = (approved: boolean) => [
      { type: 'tool-input-available', toolCallId: `${approved}`, toolName: 'deploy', input: { city: 'Rome' } },
      { type: 'tool-approval-request', approvalId: `a-${approved}`, toolCallId: `${approved}`, isAutomatic: true },
      { type: 'tool-approval-response', approvalId: `a-${approved}`, approved, reason: 'By rule.' },
      approved
        ? { type: 'tool-output-available', toolCallId: 'true', output: 1 }
        : { type: 'tool-output-denied', toolCallId: 'false' },
    ]
    const chunks = [{ type: 'start' }, { type: 'start-step' }, ...decided(true), ...decided(false)]
    const { run } = await park({
      steps: [],
      answer: () => streamOf([...chunks, ...finished()]),
    })
    expect(run.state().runs.r1?.status).toBe('completed')
    expect(Object.values(run.state().approvals).map(({ decision }) => decision)).toEqual(['approved', 'rejected'])
    expect(assistantPart(run.messages(), 'false')).toMatchObject({
      state: 'output-denied',
      approval: { id: 'a-false', approved: false, isAutomatic: true, reason: 'By rule.' },
    })
    expect(validateAgentProviderEvents(run.provider.capabilities, run.events)).toEqual([])
  })

  it('that another client answered is decided by what comes of it', async () => {
    const chunks = [
      { type: 'start', messageId: 'm' },
      { type: 'tool-input-available', toolCallId: 'a', toolName: 'deploy', input: {} },
      { type: 'tool-approval-request', approvalId: 'qa', toolCallId: 'a' },
      { type: 'tool-output-available', toolCallId: 'a', output: 'ran' },
      { type: 'tool-input-available', toolCallId: 'b', toolName: 'deploy', input: {} },
      { type: 'tool-approval-request', approvalId: 'qb', toolCallId: 'b' },
      { type: 'tool-output-denied', toolCallId: 'b' },
      { type: 'finish', finishReason: 'stop' },
    ]
    const { run } = await park({ steps: [], answer: () => streamOf(chunks) })
    expect(Object.values(run.state().approvals).map(({ decision }) => decision)).toEqual(['approved', 'rejected'])
    expect(run.state().runs.r1?.status).toBe('completed')
  })

  it('of which there is none, or that is decided, is not sent, nor without a state to make the request of', async () => {
    const { server, run } = await park({ steps: [deployOnce] })
    await expect(run.answer('nobody')).rejects.toMatchObject({ code: 'not_waiting' })
    const approvalId = waitingApproval(run, 'deploy-1')
    const command = run.commands.create('approval.resolve', { approvalId, decision: 'approved' })
    const stateless = runAgentCommand({ provider: run.provider, command, initialSequence: 20, onEvent: () => undefined })
    await expect(stateless).rejects.toMatchObject({ code: 'state_unavailable' })
    expect(server.requests).toHaveLength(1)
  })
})

describe('a client tool', () => {
  it.each([
    ['approved', undefined, { state: 'output-available', output: 'approved' }],
    ['approved', { a: 1 }, { state: 'output-available', output: { a: 1 } }],
    ['modified', false, { state: 'output-available', output: false }],
    ['rejected', undefined, { state: 'output-error', errorText: 'The user declined.' }],
    ['rejected', { reason: 'Busy.' }, { state: 'output-error', errorText: 'Busy.' }],
  ] as const)('that is %s with %j', async (decision, data, part) => {
    const { server, run } = await park({
      steps: [go(call('ask', { city: 'Rome' }), finish('tool-calls')), go(say('So be it.'), finish())],
    })
    const approvalId = waitingApproval(run, 'ask-1')
    expect(run.state().approvals[`2:r1:${approvalId}`]).toMatchObject({ editable: true })
    expect(run.state().toolCalls['2:r1:ask-1']?.status).toBe('pending')
    await run.answer(approvalId, decision, data)
    expect(assistantPart(server.requests[1]!.body.messages, 'ask-1')).toMatchObject(part)
    expect(assistantPart(run.messages(), 'ask-1')).toMatchObject(part)
    expect(validateAgentProviderEvents(run.provider.capabilities, run.events)).toEqual([])
  })
})

describe('a cancellation', () => {
  it('ends a parked run once the server has said yes', async () => {
    const { server, run } = await park({
      steps: [deployOnce],
      answer: ({ url }) => (url === stopUrl ? new Response(null, { status: 204 }) : undefined),
    })
    await run.cancel()
    const { body, headers } = server.requests[1]!
    expect(body).toMatchObject({ id: 's1', runId: 'r1', reason: 'enough' })
    expect(headers.get('idempotency-key')).toBe(body.idempotencyKey)
    expect(run.state().runs.r1).toMatchObject({ status: 'cancelled', reason: 'enough' })
    expect(validateAgentProviderEvents(run.provider.capabilities, run.events)).toEqual([])
  })

  it.each([
    [503, true],
    [404, false],
  ])('that the server answers with %i is none', async (status, retryable) => {
    const { run } = await park({
      steps: [deployOnce],
      answer: ({ url }) => (url === stopUrl ? new Response(null, { status }) : undefined),
    })
    await expect(run.cancel()).rejects.toMatchObject({ code: 'http_status', status, retryable })
    expect(run.state().runs.r1?.status).toBe('running')
  })

  it('that does not reach the server says so', async () => {
    const { run } = await park({
      steps: [deployOnce],
      answer({ url }) {
        if (url === stopUrl) throw new TypeError('No route.')
        return undefined
      },
    })
    await expect(run.cancel()).rejects.toMatchObject({ code: 'network', retryable: true })
  })
})

describe('what is declared', () => {
  it('is what can be done, by the contract', async () => {
    const { server, run } = await park({
      steps: [deployOnce, go(say('Done.'), finish())],
      answer: ({ url }) => (url === stopUrl ? new Response() : undefined),
    })
    const { commands, provider } = run
    const approvalId = waitingApproval(run, 'deploy-1')
    const initialSequence = run.state().lastSequenceByRun.r1!
    const samples = [
      commands.create('tool.retry', { toolCallId: 'deploy-1' }),
      commands.create('run.cancel', {}),
      commands.create('approval.resolve', { approvalId, decision: 'approved' }),
    ]
    const issues = await validateAgentProviderCommands({
      provider,
      commands: samples.map((command) => ({ command, initialSequence })),
      getAgentState: run.state,
    })
    expect(issues).toEqual([])
    expect(server.runs).toEqual(['deploy Rome'])
  })

  it('is no cancellation without an endpoint, and no resume unless the server has one', () => {
    const plain = createAiSdkProvider()
    expect(plain.capabilities).toMatchObject({ commands: ['approval.resolve'], resumable: false })
    expect(plain.transport.resume).toBeUndefined()
    const full = createAiSdkProvider({ getStopUrl: () => stopUrl, resume: 'replay', id: 'chat' })
    expect(full.capabilities).toMatchObject({ commands: ['approval.resolve', 'run.cancel'], resumable: true })
    expect(full.id).toBe('chat')
  })
})
