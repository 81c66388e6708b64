import { createAgentCommandFactory, runAgentCommand, type AgentCommand, type AgentEvent } from 'redux-agent'
import { createOpenAIResponsesProvider } from 'redux-agent/adapters/openai-responses'
import { validateAgentProviderCommands } from 'redux-agent/testing'
import { describe, expect, it } from 'vitest'
import { createHarness, endOfTask, expectSilentConsole } from '../../store/createHarness.ts'
import { collectRun } from '../openAI/collectRun.ts'
import { createWire, json, type WireAnswers } from '../openAI/createWire.ts'
import { asks, goesOn } from './approvalScripts.ts'
import { start } from './startApprovalRun.ts'

expectSilentConsole()

describe('a cancellation', () => {
  /** A stream in the background that stays open after some events. */
  function hang(chunks: readonly unknown[]) {
    const bytes = new TextEncoder().encode(chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join(''))
    return new Response(new ReadableStream<Uint8Array>({ start: (controller) => controller.enqueue(bytes) }), {
      headers: { 'content-type': 'text/event-stream' },
    })
  }

  async function startHanging(count: number, ...answers: WireAnswers) {
    const script = goesOn(['x'])
    let first: Response | undefined = hang(script.slice(0, count))
    const wire = createWire(...answers)
    const sent: string[] = []
    const fetch: typeof globalThis.fetch = async (url, init) => {
      sent.push(`${init?.method ?? 'GET'} ${String(url)}`)
      const given = first
      first = undefined
      return given ?? wire.fetch(url, init)
    }
    const provider = createOpenAIResponsesProvider({ background: true, fetch })
    const harness = createHarness({ providers: [provider], ids: ['r1'] })
    const input = { message: 'Hi' }
    const main = harness.store.dispatch(harness.agent.actions.startRun({ sessionId: 's1', provider, input }))
    for (let turn = 0; turn < 10; turn += 1) await endOfTask()
    harness.fireFrame()
    const cancel = () =>
      harness.store.dispatch(harness.agent.actions.cancelRun({ runId: 'r1', reason: 'Enough' })).unwrap()
    return { ...harness, provider, sent, main, cancel }
  }

  it('is the run’s end by the service’s word, at whatever point', async () => {
    for (let count = 1; count < goesOn(['x']).length; count += 1) {
      const run = await startHanging(count, json({ id: 'resp_2', status: 'cancelled' }))
      await run.cancel()
      expect(run.sent[1]).toBe('POST /v1/responses/resp_2/cancel')
      expect(run.state().runs.r1).toMatchObject({ status: 'cancelled', reason: 'Enough' })
      expect(run.state().issues).toEqual([])
      const { messages, toolCalls, tasks, reasoning } = run.state()
      const open = [messages, toolCalls, tasks, reasoning].flatMap((record) =>
        Object.values(record).filter(({ status }) => !['completed', 'cancelled'].includes(status)),
      )
      expect(open).toEqual([])
      await run.main.unwrap()
    }
  })

  it('is refused where the response has ended by itself, and may be tried again where that is not known', async () => {
    const late = await startHanging(6, json({ id: 'resp_2', status: 'completed' }))
    await expect(late.cancel()).rejects.toMatchObject({ code: 'refused', retryable: false })
    expect(late.state().runs.r1?.status).toBe('running')
    const refused = await startHanging(6, json({ error: {} }, 409))
    await expect(refused.cancel()).rejects.toMatchObject({ code: 'refused' })
    const busy = await startHanging(6, json({}, 503), json({ status: 'cancelled' }))
    await expect(busy.cancel()).rejects.toMatchObject({ code: 'http_status', retryable: true })
    await busy.cancel()
    expect(busy.state().runs.r1?.status).toBe('cancelled')
    const lost = await startHanging(6, () => {
      throw new TypeError('down')
    })
    await expect(lost.cancel()).rejects.toMatchObject({ code: 'network', retryable: true })
    const page = await startHanging(6, new Response('<html>'))
    await expect(page.cancel()).rejects.toMatchObject({ code: 'invalid_frame', retryable: true })
  })

  it.each(['in_progress', 'queued', 'cancelling'])('that leaves the response %s is not told as its end, and may be tried again', async (status) => {
    const run = await startHanging(6, json({ id: 'resp_2', status }), json({ id: 'resp_2', status: 'cancelled' }))
    await expect(run.cancel()).rejects.toMatchObject({ code: 'refused', retryable: true, message: expect.stringContaining('not over') as string })
    expect(run.state().runs.r1?.status).toBe('running')
    await run.cancel()
    expect(run.state().runs.r1?.status).toBe('cancelled')
  })

  it('before the service has said anything may be tried again', async () => {
    const run = await startHanging(0)
    await expect(run.cancel()).rejects.toMatchObject({ code: 'unknown_response', retryable: true })
  })

  it('ends a run that waits for a person as well', async () => {
    const run = await start([asks(['a']), json({ status: 'cancelled' })], { background: true })
    await run.store.dispatch(run.agent.actions.cancelRun({ runId: 'r1' })).unwrap()
    expect(run.run().status).toBe('cancelled')
    expect(Object.values(run.state().approvals)).toMatchObject([{ status: 'completed', decision: 'expired' }])
    expect(Object.values(run.state().toolCalls)).toMatchObject([{ status: 'cancelled' }])
  })
})

describe('commands without a store', () => {
  const factory = createAgentCommandFactory({ sessionId: 's1', runId: 'r1', now: () => 1000 })
  const approve = (approvalId: string, decision: 'approved' | 'rejected' | 'modified' = 'approved') =>
    factory.create('approval.resolve', { approvalId, decision }) as AgentCommand

  it('keep the contract', async () => {
    const wire = createWire(asks(['a', 'b']), goesOn(['a']))
    const provider = createOpenAIResponsesProvider({ fetch: wire.fetch })
    const { events } = await collectRun(provider, { input: { message: 'Hi' } })
    const initialSequence = events.at(-1)!.sequence
    const commands = [
      approve('a'),
      approve('b'),
      factory.create('run.cancel', {}) as AgentCommand,
      factory.create('tool.retry', { toolCallId: 'a' }) as AgentCommand,
    ].map((command) => ({ command, initialSequence }))
    expect(await validateAgentProviderCommands({ provider, commands })).toEqual([])
    expect(wire.sent).toHaveLength(2)
  })

  it('cancel what is open, in the background', async () => {
    const wire = createWire(asks(['a']), json({ status: 'cancelled' }))
    const provider = createOpenAIResponsesProvider({ fetch: wire.fetch, background: true })
    const { events } = await collectRun(provider, { input: { message: 'Hi' } })
    const seen: AgentEvent[] = []
    await runAgentCommand({
      provider,
      command: factory.create('run.cancel', {}) as AgentCommand,
      initialSequence: events.at(-1)!.sequence,
      onEvent: (event) => seen.push(event),
    })
    expect(seen.map(({ type }) => type)).toEqual(['approval.resolved', 'tool.cancelled', 'run.cancelled'])
  })

  it.each([
    { command: approve('unknown'), code: 'unknown_approval' },
    { command: approve('a', 'modified'), code: 'not_editable' },
  ])('say what is wrong: $code', async ({ command, code }) => {
    const provider = createOpenAIResponsesProvider({ fetch: createWire(asks(['a'])).fetch })
    const { events } = await collectRun(provider, { input: { message: 'Hi' } })
    const initialSequence = events.at(-1)!.sequence
    const answer = runAgentCommand({ provider, command, initialSequence, onEvent: () => undefined })
    await expect(answer).rejects.toMatchObject({ code })
  })
})
