import { afterEach, describe, expect, it } from 'vitest'
import { createSqliteStore } from '../../demo/server/store/sqlite/createSqliteStore.ts'
import { createManualTimers } from './support/createManualTimers.ts'
import { call, createScriptedModel, finish, say } from './support/createScriptedModel.ts'
import { expectSoundLog } from './support/expectSoundLog.ts'
import { envelopeOf, eventsOf, readAll, readUntil } from './support/readFrames.ts'
import { startTestServer, type TestServer } from './support/startTestServer.ts'

let server: TestServer
afterEach(() => server.close())

const update = call('document_update', { documentId: 'onboarding-guide', content: 'x' }, 0, 'update')
const ask = (question: string) => call('ask_user', { question, options: ['Monday', 'Friday'] }, 0, 'ask')
const told = (model: ReturnType<typeof createScriptedModel>) => {
  const last = model.requests.at(-1)!.messages.at(-1)!
  return JSON.parse(String(last.content)) as object
}

describe('an approval that nobody decides', () => {
  async function startToAsked() {
    const timers = createManualTimers()
    const model = createScriptedModel([
      [update, ...finish('tool_calls')],
      [say('Then not.'), ...finish('stop')],
    ])
    server = await startTestServer({ ...timers, model, approvalMs: 3_600_000, parkAfterMs: 9_000_000 })
    const browser = server.createBrowser()
    return { timers, model, browser, ...(await browser.startToApproval('Go')) }
  }

  it('expires by the server’s clock, says so by event, and the model hears of it', async () => {
    const { timers, model, browser, frames, read, runId, approval } = await startToAsked()
    expect(approval).toMatchObject({ expiresAt: timers.now() + 3_600_000, data: { confirmationRequired: true } })
    await timers.whenSet(3_600_000)
    timers.advance(3_600_000)
    const rest = await readAll(frames)
    expectSoundLog([...read, ...rest], runId)
    expect(rest.slice(0, 2).map((frame) => envelopeOf(frame).event)).toMatchObject([
      { type: 'approval.resolved', payload: { decision: 'expired' } },
      { type: 'tool.cancelled', payload: { reason: 'expired' } },
    ])
    expect(told(model)).toMatchObject({ status: 'expired' })
    const guide = await browser.request('GET', '/api/documents/onboarding-guide')
    expect(guide.body).toMatchObject({ version: 1 })
  })

  it('is refused to whoever comes too late, with what stands, also where nobody had looked at the clock', async () => {
    const timers = createManualTimers()
    const model = createScriptedModel([[update, ...finish('tool_calls')]])
    // Its timers never fire: the one who works on the run is slow.
    const setTimer = () => () => undefined
    server = await startTestServer({ now: timers.now, setTimer, model, approvalMs: 1_000 })
    const browser = server.createBrowser()
    const { runId, approval } = await browser.startToApproval('Go')
    timers.advance(1_000)
    const command = browser
      .commands(runId)
      .create('approval.resolve', { approvalId: approval.approvalId, decision: 'approved' })
    const answer = await browser.command(command)
    expect(answer).toMatchObject({ status: 409, body: { code: 'already_decided', decision: 'expired' } })
    expect(answer.body.events[0]!.event).toMatchObject({
      type: 'approval.resolved',
      payload: { approvalId: approval.approvalId, decision: 'expired' },
    })
    const guide = await browser.request('GET', '/api/documents/onboarding-guide')
    expect(guide.body).toMatchObject({ version: 1 })
  })
})

describe('a plain question', () => {
  async function startToQuestion(more: Record<string, unknown> = {}) {
    const store = createSqliteStore(':memory:')
    const model = createScriptedModel([
      [ask('Which day?'), ...finish('tool_calls')],
      [say('Good.'), ...finish('stop')],
    ])
    server = await startTestServer({ store, model })
    const browser = server.createBrowser()
    const asked = await browser.startToApproval('Plan it', more)
    const resolve = (decision: 'approved' | 'modified' | 'rejected', data?: unknown) =>
      browser.command(
        browser.commands(asked.runId).create('approval.resolve', {
          approvalId: asked.approval.approvalId,
          decision,
          ...(data !== undefined && { data }),
        }),
      )
    const observations = () =>
      store.read(async (transaction) => {
        const run = await transaction.runs.get(asked.runId)
        return transaction.observations.list(run!.ownerId, 'c1')
      })
    return { ...asked, model, resolve, observations, store }
  }

  it('is answered with data, which is kept as an observation with its provenance, and is no fact', async () => {
    const { frames, read, runId, approval, model, resolve, observations, store } = await startToQuestion()
    expect(approval).toMatchObject({
      description: 'Which day?',
      data: { toolName: 'ask_user', isQuestion: true, question: 'Which day?', options: ['Monday', 'Friday'] },
    })
    for (const data of [undefined, {}, { answer: ' ' }, { answer: 7 }]) {
      expect(await resolve('approved', data)).toMatchObject({ status: 422, body: { code: 'invalid_answer' } })
    }
    expect(await resolve('modified', { answer: ' Friday ' })).toMatchObject({ status: 200 })
    const rest = await readAll(frames)
    expectSoundLog([...read, ...rest], runId)
    expect(eventsOf(rest)[0]!.payload).toMatchObject({ decision: 'modified', data: { answer: 'Friday' } })
    expect(told(model)).toEqual({ ok: true, result: { answer: 'Friday' } })
    const { approvalId, toolCallId } = approval
    const kept = await observations()
    expect(kept).toMatchObject([{ runId, approvalId, toolCallId, question: 'Which day?', answer: 'Friday' }])
    expect(await store.read(({ memories }) => memories.list(kept[0]!.ownerId))).toEqual([])
  })

  it('may be left unanswered, and may be asked in plan mode too', async () => {
    const { frames, read, runId, model, resolve, observations } = await startToQuestion({ mode: 'plan' })
    expect(await resolve('rejected')).toMatchObject({ status: 200 })
    expectSoundLog([...read, ...(await readAll(frames))], runId)
    expect(told(model)).toMatchObject({ status: 'rejected' })
    expect(await observations()).toEqual([])
    const offered = model.requests[0]!.tools.map(({ name }) => name).sort()
    expect(offered).toEqual(['ask_user', 'document_read', 'document_search', 'mcp_call'])
  })
})

describe('a tool', () => {
  it('of another server is only ever prepared, whatever is approved', async () => {
    const input = { server: 'notion', tool: 'create_page', arguments: { title: 'T' } }
    const model = createScriptedModel([[call('mcp_call', input, 0, 'm'), ...finish('tool_calls')], finish('stop')])
    server = await startTestServer({ model })
    const { frames } = await server.createBrowser().start('Go')
    await readAll(frames)
    expect(told(model)).toEqual({
      ok: true,
      result: { dryRun: true, confirmationRequired: true, executed: false, call: input },
    })
  })

  it('that only reads is not run again, by whatever run, until something has changed', async () => {
    const read = (id: string) => [
      call('document_read', { documentId: 'travel-policy' }, 0, id),
      ...finish('tool_calls'),
    ]
    const store = createSqliteStore(':memory:')
    const model = createScriptedModel([
      ...[read('a'), finish('stop')],
      ...[read('b'), finish('stop')],
      ...[read('c'), finish('stop')],
    ])
    let reads = 0
    const counted: typeof store = {
      ...store,
      transaction: (work) =>
        store.transaction((transaction) =>
          work({
            ...transaction,
            documents: {
              ...transaction.documents,
              get(ownerId, id) {
                reads += 1
                return transaction.documents.get(ownerId, id)
              },
            },
          }),
        ),
    }
    server = await startTestServer({ store: counted, model })
    const browser = server.createBrowser()
    const run = async () => {
      const before = reads
      const { frames } = await browser.start('Go')
      const completed = await readUntil(frames, 'tool.completed')
      await readAll(frames)
      const { result } = envelopeOf(completed.at(-1)!).event.payload as { result: { version: number } }
      return { version: result.version, times: reads - before }
    }
    expect(await run()).toEqual({ version: 1, times: 1 })
    expect(await run()).toEqual({ version: 1, times: 0 })
    const path = '/api/documents/travel-policy'
    await browser.request('PATCH', path, { content: 'Changed' })
    expect(await run()).toEqual({ version: 2, times: 1 })
  })
})
