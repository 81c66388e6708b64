import * as fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createGate, createScriptedModel, finish, say } from './support/createScriptedModel.ts'
import { createManualTimers } from './support/createManualTimers.ts'
import { expectSoundLog } from './support/expectSoundLog.ts'
import { eventsOf, nameOf, readAll, readFrames, readUntil, type Frame } from './support/readFrames.ts'
import { startTestServer, type TestServer } from './support/startTestServer.ts'

let server: TestServer
afterEach(() => server.close())

const json = (body: unknown) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})
const prompt = 'Add a section about parking to the onboarding guide.'

describe('following a run', () => {
  it('gives every follower, from whatever cursor and at whatever moment, the same log once', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ atPiece: fc.nat(39), share: fc.double({ min: 0, max: 1, noNaN: true }) }), {
          minLength: 5,
          maxLength: 12,
        }),
        async (plan) => {
          const gates = Array.from({ length: 40 }, () => createGate())
          const script = gates.flatMap((gate, index) => [gate.opened, say(`piece ${index} `)])
          server = await startTestServer({ model: createScriptedModel([[...script, ...finish('stop')]]) })
          const browser = server.createBrowser()
          const { frames, runId } = await browser.start('Go')
          const started = readAll(frames)
          const followers: Promise<{ after: number; read: Frame[] }>[] = []
          for (const [piece, gate] of gates.entries()) {
            for (const { share } of plan.filter(({ atPiece }) => atPiece === piece)) {
              const { lastSeq } = (await browser.request<{ lastSeq: number }>('GET', `/api/agent/runs/${runId}`)).body
              const after = Math.floor(share * lastSeq)
              const follower = await browser.follow(runId, after)
              followers.push(readAll(follower).then((read) => ({ after, read })))
            }
            gate.open()
          }
          const whole = await started
          const logOf = (read: readonly Frame[]) => read.filter(({ name }) => name === 'message')
          expectSoundLog(whole, runId)
          for (const { after, read } of await Promise.all(followers)) {
            expect(logOf(read)).toEqual(logOf(whole).slice(after))
            expect(read[read.length - 1]!.name).toBe('end')
          }
          await server.close()
        },
      ),
      { numRuns: 8 },
    )
  })

  it('replays a run that has ended, from 0, from Last-Event-ID, or by a resume', async () => {
    server = await startTestServer()
    const browser = server.createBrowser()
    const { frames, first, runId } = await browser.start('What do we say about refunds?')
    const whole = await readAll(frames)
    expect([first, ...whole]).toEqual(await readAll(await browser.follow(runId)))

    const last = whole.length - 1
    const headers = { 'last-event-id': '5' }
    const byHeader = await browser.send(`/api/agent/runs/${runId}/stream?after=1`, { headers })
    const afterFive = await readAll(readFrames(byHeader))
    const data = { seq: last, fromSeq: 5, replayedCount: last - 5 }
    expect(afterFive[0]).toMatchObject({ name: 'resume-start', data })
    expect(afterFive.slice(1)).toEqual(whole.slice(5))

    const { assistantMessageId } = first.data
    const resume = { resume: { runId, lastAppliedSeq: last, assistantMessageId } }
    const resumed = await readAll(readFrames(await browser.send('/api/agent/stream', json(resume))))
    expect(resumed.map(nameOf)).toEqual(['resume-start', 'end'])
  })

  it('refuses a cursor ahead of the log, a foreign answer and an unknown run', async () => {
    server = await startTestServer()
    const browser = server.createBrowser()
    const { frames, runId } = await browser.start('List the documents')
    const { length } = await readAll(frames)
    const ahead = await browser.request('GET', `/api/agent/runs/${runId}/stream?after=${length}`)
    expect(ahead).toMatchObject({ status: 409, body: { code: 'cursor_ahead', lastSeq: length - 1 } })
    const page = await browser.request('GET', `/api/agent/runs/${runId}/events?after=${length}`)
    expect(page).toMatchObject({ status: 409 })
    const resume = (more: object) => browser.request('POST', '/api/agent/stream', { resume: { runId, ...more } })
    expect(await resume({ lastAppliedSeq: length })).toMatchObject({ status: 409, body: { code: 'cursor_ahead' } })
    expect(await resume({ lastAppliedSeq: 0, assistantMessageId: 'other' })).toMatchObject({
      status: 409,
      body: { code: 'assistant_message_mismatch' },
    })
    expect(await resume({ runId: 'nowhere', lastAppliedSeq: 0 })).toMatchObject({ status: 404 })
  })

  it('goes on with the run when its reader leaves', async () => {
    const gate = createGate()
    const script = [say('One '), gate.opened, say('two'), ...finish('stop')]
    server = await startTestServer({ model: createScriptedModel([script]) })
    const browser = server.createBrowser()
    const { frames, runId } = await browser.start('Go')
    await readUntil(frames, 'message.delta')
    await frames.return()
    gate.open()
    const read = await readAll(await browser.follow(runId))
    expectSoundLog(read, runId)
    expect(read.map(nameOf).slice(-3)).toEqual(['message.completed', 'run.completed', 'end'])
  })

  it('pages through the log as JSON', async () => {
    server = await startTestServer()
    const browser = server.createBrowser()
    const { frames, runId } = await browser.start('List the documents')
    const whole = eventsOf(await readAll(frames))
    const read: unknown[] = []
    for (;;) {
      const { body } = await browser.request<{ events: { seq: number; event: unknown }[]; status: string }>(
        'GET',
        `/api/agent/runs/${runId}/events?after=${read.length}&limit=4`,
      )
      expect(body.status).toBe('completed')
      if (body.events.length === 0) break
      expect(body.events.length).toBeLessThanOrEqual(4)
      read.push(...body.events.map(({ event }) => event))
    }
    expect(read).toEqual(whole)
  })
})

describe('a stream that waits', () => {
  it('sends comments, parks after a while, and the run is taken up again after the answer', async () => {
    const timers = createManualTimers()
    server = await startTestServer({ ...timers, keepAliveMs: 15_000, parkAfterMs: 300_000 })
    const browser = server.createBrowser()
    const { runId, approval, frames, read } = await browser.startToApproval(prompt)
    const second = await browser.send(`/api/agent/runs/${runId}/stream`)
    const reader = second.body!.getReader()
    let text = ''
    while (!text.includes('approval.requested')) text += new TextDecoder().decode((await reader.read()).value)
    await timers.whenSet(300_000)
    timers.advance(15_000)
    while (!text.includes(': keep-alive\n\n')) text += new TextDecoder().decode((await reader.read()).value)
    timers.advance(300_000)
    const rest = await readAll(frames)
    expect(rest.map(nameOf)).toEqual(['parked'])
    const cursor = eventsOf(read).length
    const again = await browser.follow(runId, cursor)
    await browser.command(
      browser.commands(runId).create('approval.resolve', { approvalId: approval.approvalId, decision: 'approved' }),
    )
    const end = await readAll(again)
    expectSoundLog([...read, ...end], runId)
    expect(end[end.length - 1]!.name).toBe('end')
  })

  it('stores deltas only once they were gathered, dense and in order', async () => {
    const timers = createManualTimers()
    const gates = [createGate(), createGate()]
    const script = [say('a'), say('b'), gates[0]!.opened, say('c'), say('d'), gates[1]!.opened, ...finish('stop')]
    server = await startTestServer({ ...timers, gatherMs: 25, model: createScriptedModel([script]) })
    const browser = server.createBrowser()
    const { frames, runId } = await browser.start('Go')
    const read = await readUntil(frames, 'message.started')
    read.push(...(await readUntil(frames, 'message.started')))
    await timers.whenSet(25)
    timers.advance(25)
    read.push(...(await readUntil(frames, 'message.delta')))
    gates[0]!.open()
    await timers.whenSet(25)
    gates[1]!.open()
    read.push(...(await readAll(frames)))
    expectSoundLog(read, runId)
    const deltas = eventsOf(read).flatMap((event) => (event.type === 'message.delta' ? [event.payload.delta] : []))
    expect(deltas.join('')).toBe('abcd')
    expect(deltas.length).toBeLessThanOrEqual(3)
  })

  it('ends without an end when the server closes', async () => {
    server = await startTestServer()
    const { frames } = await server.createBrowser().startToApproval(prompt)
    await server.close()
    expect(await readAll(frames)).toEqual([])
  })
})

describe('a thread', () => {
  it('takes one run at a time, unless the new one supersedes the old by name', async () => {
    server = await startTestServer()
    const browser = server.createBrowser()
    const { frames, read, runId } = await browser.startToApproval(prompt)
    const next = { conversationId: 'c1', messages: [{ role: 'user', content: 'List the documents' }] }
    expect(await browser.request('POST', '/api/agent/stream', next)).toMatchObject({
      status: 409,
      body: { code: 'thread_busy', runId },
    })
    const second = await browser.start('List the documents', { supersede: true })
    const rest = await readAll(frames)
    expectSoundLog([...read, ...rest], runId)
    expect(eventsOf(rest).at(-1)).toMatchObject({ type: 'run.cancelled', payload: { reason: 'superseded' } })
    expectSoundLog(await readAll(second.frames), second.runId)
  })

  it('keeps what the superseded run had said but not stored yet', async () => {
    const timers = createManualTimers()
    const script = [say('So '), say('far'), createGate().opened]
    const model = createScriptedModel([script, finish('stop')])
    server = await startTestServer({ ...timers, gatherMs: 25, model })
    const browser = server.createBrowser()
    const { frames, runId } = await browser.start('Go')
    const read = await readUntil(frames, 'message.completed')
    read.push(...(await readUntil(frames, 'message.started')))
    await timers.whenSet(25)
    await browser.start('Next', { supersede: true })
    read.push(...(await readAll(frames)))
    expectSoundLog(read, runId)
    expect(read.map(nameOf).slice(-4)).toEqual(['message.delta', 'message.cancelled', 'run.cancelled', 'end'])
    const { body } = await browser.request<{ messages: unknown[] }>('GET', '/api/agent/conversations/c1')
    expect(body.messages[1]).toMatchObject({ content: 'So far', status: 'cancelled' })
  })

  it('attaches to a run that it knows instead of starting another', async () => {
    server = await startTestServer()
    const browser = server.createBrowser()
    const start = { runId: 'mine', conversationId: 'c1', messages: [{ role: 'user', content: 'List the documents' }] }
    const responses = await Promise.all([0, 1, 2].map(() => browser.send('/api/agent/runs/none/stream')))
    expect(responses.map(({ status }) => status)).toEqual([404, 404, 404])
    const streams = await Promise.all([0, 1, 2].map(() => browser.send('/api/agent/stream', json(start))))
    const reads = await Promise.all(streams.map((response) => readAll(readFrames(response))))
    expect(reads[1]).toEqual(reads[0])
    expect(reads[2]).toEqual(reads[0])
    const { body } = await browser.request<{ runs: unknown[] }>('GET', '/api/agent/conversations/c1')
    expect(body.runs).toHaveLength(1)
    const again = { ...start, messages: [{ role: 'user', content: [{ type: 'text', text: 'List the documents' }] }] }
    expect((await browser.send('/api/agent/stream', json({ ...again, supersede: true }))).status).toBe(200)
  })

  it('takes no other message for the one that the run was started with, also where they race', async () => {
    server = await startTestServer()
    const browser = server.createBrowser()
    await browser.request('POST', '/api/documents', { title: 'T', content: '' })
    const start = (content: string, conversationId: string) =>
      browser.send('/api/agent/stream', json({ runId: 'mine', conversationId, messages: [{ role: 'user', content }] }))
    const raced = await Promise.all([
      start('List the documents', 'c1'),
      start('What is the limit for hotels?', 'c1'),
      start('List the documents', 'c2'),
    ])
    const taken = raced.filter(({ status }) => status === 200)
    expect(taken).toHaveLength(1)
    await readAll(readFrames(taken[0]!))
    for (const refused of raced.filter((response) => response !== taken[0])) {
      expect([refused.status, await refused.json()]).toMatchObject([422, { code: 'run_id_reused' }])
    }
  })
})

describe('a failure', () => {
  it('ends what is open and the run, and tells what it was to the log alone', async () => {
    const log = vi.spyOn(console, 'error').mockReturnValue(undefined)
    server = await startTestServer({
      model: {
        async *stream() {
          yield say('So')
          throw new Error('key sk-secret is wrong')
        },
      },
    })
    const { frames, runId } = await server.createBrowser().start('Go')
    const read = await readAll(frames)
    expectSoundLog(read, runId)
    expect(read.map(nameOf).slice(-3)).toEqual(['message.failed', 'run.failed', 'end'])
    expect(JSON.stringify(read)).not.toContain('sk-secret')
    expect(log).toHaveBeenCalledWith(expect.objectContaining({ message: 'key sk-secret is wrong' }))
  })

  it('is told where the model never comes to an end', async () => {
    server = await startTestServer({
      maxSteps: 2,
      model: {
        async *stream() {
          yield {
            choices: [
              { delta: { tool_calls: [{ function: { name: 'document_search', arguments: '{"query":""}' } }] } },
            ],
          }
          yield* finish('tool_calls')
        },
      },
    })
    const { frames, runId } = await server.createBrowser().start('Go')
    const read = await readAll(frames)
    expectSoundLog(read, runId)
    expect(eventsOf(read).at(-1)).toMatchObject({ type: 'run.failed', payload: { error: { code: 'too_many_steps' } } })
  })
})
