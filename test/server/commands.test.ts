import { afterEach, describe, expect, it } from 'vitest'
import { call, createGate, createScriptedModel, finish, say, think } from './support/createScriptedModel.ts'
import { createManualTimers } from './support/createManualTimers.ts'
import { expectSoundLog } from './support/expectSoundLog.ts'
import { envelopeOf, eventsOf, nameOf, readAll, readUntil } from './support/readFrames.ts'
import { startTestServer, type TestServer } from './support/startTestServer.ts'

let server: TestServer
afterEach(() => server.close())

const prompt = 'Add a section about parking to the onboarding guide.'
type Browser = ReturnType<TestServer['createBrowser']>
const readGuide = async (browser: Browser) =>
  (await browser.request<{ version: number; content: string }>('GET', '/api/documents/onboarding-guide')).body

async function startToApproval() {
  server = await startTestServer()
  const browser = server.createBrowser()
  return { browser, ...(await browser.startToApproval(prompt)) }
}

describe('approval.resolve', () => {
  it('gives the stored answer to the same command sent again, and runs the tool once', async () => {
    const { browser, frames, read, runId, approval } = await startToApproval()
    const command = browser
      .commands(runId)
      .create('approval.resolve', { approvalId: approval.approvalId, decision: 'approved' })
    const answers = await Promise.all([browser.command(command), browser.command(command)])
    const rest = await readAll(frames)
    answers.push(await browser.command(command))
    for (const { status, body } of answers) {
      expect(status).toBe(200)
      expect(body).toEqual(answers[0]!.body)
    }
    const all = [...read, ...rest]
    expectSoundLog(all, runId)
    expect(all.map(nameOf).filter((name) => name === 'approval.resolved')).toHaveLength(1)
    expect(await readGuide(browser)).toMatchObject({ version: 2 })
  })

  it('refuses another command under a key that was used', async () => {
    const { browser, runId, approval } = await startToApproval()
    const { approvalId } = approval
    const commands = browser.commands(runId)
    const first = commands.create('approval.resolve', { approvalId, decision: 'rejected' })
    expect((await browser.command(first)).status).toBe(200)
    const other = await browser.command({ ...first, payload: { approvalId, decision: 'approved' } })
    expect(other).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } })
  })

  it('lets one of two racing decisions stand and tells the loser which', async () => {
    const { browser, frames, runId, approval } = await startToApproval()
    const { approvalId } = approval
    const commands = browser.commands(runId)
    const answers = await Promise.all([
      browser.command(commands.create('approval.resolve', { approvalId, decision: 'rejected' })),
      browser.command(commands.create('approval.resolve', { approvalId, decision: 'approved' })),
    ])
    const winner = answers.find(({ status }) => status === 200)!
    const loser = answers.find(({ status }) => status === 409)!
    const decision = (winner.body.events[0]!.event.payload as { decision: string }).decision
    expect(loser.body).toMatchObject({ code: 'already_decided', decision, events: [winner.body.events[0]] })
    await readAll(frames)
    const late = await browser.command(commands.create('approval.resolve', { approvalId, decision: 'approved' }))
    expect(late).toMatchObject({ status: 409, body: { code: 'already_decided', decision } })
  })

  it('refuses an edit that does not fit and keeps waiting', async () => {
    const { browser, frames, runId, approval } = await startToApproval()
    const { approvalId } = approval
    const commands = browser.commands(runId)
    const bad = [
      undefined,
      'text',
      { arguments: [] },
      { arguments: { documentId: 'onboarding-guide', content: 7 } },
      { arguments: { documentId: 'onboarding-guide' } },
      { arguments: { documentId: '', content: 'x' } },
    ]
    for (const data of bad) {
      const answer = await browser.command(
        commands.create('approval.resolve', { approvalId, decision: 'modified', data }),
      )
      expect(answer).toMatchObject({ status: 422, body: { code: 'invalid_arguments' } })
    }
    const nowhere = { arguments: { documentId: 'nowhere', content: 'x' } }
    expect(
      await browser.command(commands.create('approval.resolve', { approvalId, decision: 'modified', data: nowhere })),
    ).toMatchObject({ status: 422, body: { code: 'document_not_found' } })
    const good = commands.create('approval.resolve', { approvalId, decision: 'approved', expectedVersion: 1 })
    expect((await browser.command(good)).status).toBe(200)
    await readAll(frames)
    expect(await readGuide(browser)).toMatchObject({ version: 2 })
  })

  it('refuses a decision on another version, an unknown approval, run or session', async () => {
    const { browser, runId, approval } = await startToApproval()
    const { approvalId } = approval
    const decide = { approvalId, decision: 'approved' as const }
    const commands = browser.commands(runId)
    const version = commands.create('approval.resolve', { ...decide, expectedVersion: 2 })
    expect(await browser.command(version)).toMatchObject({ status: 409, body: { code: 'version_conflict' } })
    const unknown = commands.create('approval.resolve', { ...decide, approvalId: '__proto__' })
    expect(await browser.command(unknown)).toMatchObject({ status: 404, body: { code: 'approval_not_found' } })
    const run = browser.commands('constructor').create('approval.resolve', decide)
    expect(await browser.command(run)).toMatchObject({ status: 404, body: { code: 'run_not_found' } })
    const session = browser.commands(runId, 'c2').create('approval.resolve', decide)
    expect(await browser.command(session)).toMatchObject({ status: 400, body: { code: 'session_mismatch' } })
  })

  it.each(['approved', 'modified'] as const)(
    'does not write over a document that was changed since the preview (%s)',
    async (decision) => {
      const { browser, frames, read, runId, approval } = await startToApproval()
      await browser.request('PATCH', '/api/documents/onboarding-guide', { content: 'Changed meanwhile.' })
      const answer = await browser.command(
        browser.commands(runId).create('approval.resolve', {
          approvalId: approval.approvalId,
          decision,
          ...(decision === 'modified' && {
            data: { arguments: { documentId: 'onboarding-guide', content: 'Edited' } },
          }),
        }),
      )
      expect(answer.status).toBe(200)
      const rest = await readAll(frames)
      expectSoundLog([...read, ...rest], runId)
      const failed = eventsOf(rest).find((event) => event.type === 'tool.failed')!
      expect(failed.payload).toMatchObject({ error: { code: 'document_changed', retryable: false } })
      expect(await readGuide(browser)).toMatchObject({ version: 2, content: 'Changed meanwhile.' })
    },
  )
})

describe('run.cancel', () => {
  it('ends what is open, then the run, and no tool starts any more', async () => {
    const { browser, frames, read, runId, approval } = await startToApproval()
    const command = browser.commands(runId).create('run.cancel', { reason: 'Enough' })
    const answer = await browser.command(command)
    expect(answer.body.events.map(({ event }) => event.type)).toEqual([
      'approval.resolved',
      'tool.cancelled',
      'run.cancelled',
    ])
    const rest = await readAll(frames)
    expectSoundLog([...read, ...rest], runId)
    expect(rest.map(nameOf)).toEqual(['approval.resolved', 'tool.cancelled', 'run.cancelled', 'end'])
    expect((await browser.command(command)).body).toEqual(answer.body)
    const commands = browser.commands(runId)
    expect(await browser.command(commands.create('run.cancel', {}))).toMatchObject({
      status: 409,
      body: { code: 'run_ended', runStatus: 'cancelled', events: [{ event: { type: 'run.cancelled' } }] },
    })
    const late = commands.create('approval.resolve', { approvalId: approval.approvalId, decision: 'approved' })
    expect(await browser.command(late)).toMatchObject({ status: 409, body: { code: 'run_ended' } })
    expect(await readGuide(browser)).toMatchObject({ version: 1 })
  })

  it('stops a model that is still speaking and keeps what it said', async () => {
    const gate = createGate()
    const model = createScriptedModel([[think('Hm.'), say('So '), say('far'), gate.opened, say(' never')]])
    const timers = createManualTimers()
    server = await startTestServer({ model, gatherMs: 25, setTimer: timers.setTimer, now: timers.now })
    const browser = server.createBrowser()
    const { frames, runId } = await browser.start('Hello')
    const read = await readUntil(frames, 'message.started')
    read.push(...(await readUntil(frames, 'reasoning.completed')), ...(await readUntil(frames, 'message.started')))
    await browser.command(browser.commands(runId).create('run.cancel', {}))
    const rest = await readAll(frames)
    expectSoundLog([...read, ...rest], runId)
    expect(rest.map(nameOf)).toEqual(['message.delta', 'message.cancelled', 'run.cancelled', 'end'])
    const conversation = await browser.request<{ messages: unknown[] }>('GET', '/api/agent/conversations/c1')
    expect(conversation.body.messages[1]).toMatchObject({ content: 'So far', status: 'cancelled' })
  })

  it('leaves tool calls without an answer that the next run tells the model about', async () => {
    const update = { documentId: 'onboarding-guide', content: 'x' }
    const model = createScriptedModel([
      [
        ...[call('document_update', update, 0, 'a'), call('document_read', { documentId: 'x' }, 1, 'b')],
        ...finish('tool_calls'),
      ],
      [say('Fine.'), ...finish('stop')],
    ])
    server = await startTestServer({ model })
    const browser = server.createBrowser()
    const { frames, runId } = await browser.startToApproval('Change it')
    await browser.command(browser.commands(runId).create('run.cancel', {}))
    const rest = await readAll(frames)
    expect(rest.map(nameOf).filter((name) => name === 'tool.cancelled')).toHaveLength(2)
    await readAll((await browser.start('And now?')).frames)
    expect(model.requests[1]!.messages.map(({ role }) => role)).toEqual([
      ...['system', 'user', 'assistant', 'tool', 'tool', 'user'],
    ])
  })
})

describe('tool.retry', () => {
  async function startToFailure(timers = createManualTimers()) {
    server = await startTestServer({ setTimer: timers.setTimer, now: timers.now, gatherMs: 0, holdMs: 120_000 })
    const browser = server.createBrowser()
    const { frames, read, runId, approval } = await browser.startToApproval('Publish the release notes')
    expect(approval).toMatchObject({ editable: false, risk: 'high', data: { toolName: 'publish_document' } })
    const { approvalId, toolCallId } = approval
    const commands = browser.commands(runId)
    const data = { arguments: { documentId: 'travel-policy' } }
    expect(
      await browser.command(commands.create('approval.resolve', { approvalId, decision: 'modified', data })),
    ).toMatchObject({ status: 422, body: { code: 'not_editable' } })
    expect(await browser.command(commands.create('tool.retry', { toolCallId }))).toMatchObject({
      status: 409,
      body: { code: 'not_retryable' },
    })
    await browser.command(commands.create('approval.resolve', { approvalId, decision: 'approved' }))
    read.push(...(await readUntil(frames, 'tool.failed')))
    const failed = envelopeOf(read[read.length - 1]!).event
    expect(failed.payload).toMatchObject({ toolCallId, error: { code: 'publishing_unavailable', retryable: true } })
    return { timers, browser, frames, read, runId, toolCallId, commands }
  }

  it('makes a new call of the failed one, which stays as it is', async () => {
    const { browser, frames, read, runId, toolCallId, commands } = await startToFailure()
    const retry = commands.create('tool.retry', { toolCallId })
    const [answer, again] = await Promise.all([browser.command(retry), browser.command(retry)])
    expect(again.body).toEqual(answer.body)
    const requested = answer.body.events[0]!.event
    expect(requested.payload).toMatchObject({ name: 'publish_document', attempt: 2, retryOf: toolCallId })
    const rest = await readAll(frames)
    expectSoundLog([...read, ...rest], runId)
    expect(rest.map(nameOf).filter((name) => name.startsWith('tool.'))).toEqual([
      'tool.requested',
      'tool.running',
      'tool.completed',
    ])
    expect(await browser.command(commands.create('tool.retry', { toolCallId }))).toMatchObject({
      status: 409,
      body: { code: 'run_ended' },
    })
    expect(await browser.command(commands.create('tool.retry', { toolCallId: 'nowhere' }))).toMatchObject({
      status: 404,
      body: { code: 'tool_call_not_found' },
    })
  })

  it('tells the model of the failure when nobody asks in time', async () => {
    const { timers, browser, frames, read, runId, toolCallId, commands } = await startToFailure()
    await timers.whenSet(120_000)
    timers.advance(120_000)
    const rest = await readAll(frames)
    expectSoundLog([...read, ...rest], runId)
    const said = eventsOf(rest).map((event) => (event.type === 'message.delta' ? event.payload.delta : ''))
    expect(said.join('')).toContain('Nothing was published')
    expect(await browser.command(commands.create('tool.retry', { toolCallId }))).toMatchObject({ status: 409 })
  })
})
