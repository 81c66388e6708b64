import { mkdtempSync, rmSync } from 'node:fs'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { RunServerOptions } from '../../demo/server/createRunServer.ts'
import { appendEvents } from '../../demo/server/runs/appendEvents.ts'
import type { RunServerStore } from '../../demo/server/store/runServerStore.ts'
import { createSqliteStore } from '../../demo/server/store/sqlite/createSqliteStore.ts'
import { createBrowser, type TestBrowser } from './support/createBrowser.ts'
import { createManualTimers } from './support/createManualTimers.ts'
import { call, createGate, createScriptedModel, finish, say, think } from './support/createScriptedModel.ts'
import { expectSoundLog } from './support/expectSoundLog.ts'
import { envelopeOf, eventsOf, nameOf, readAll, readFrames, readUntil, type Frame } from './support/readFrames.ts'
import { startTestServer, type TestServer } from './support/startTestServer.ts'

let server: TestServer
afterEach(() => server?.close())

const prompt = 'Add a section about parking to the onboarding guide.'

/** A database that outlives its servers, and a way to stop one without its runs being ended. */
function createLives() {
  const inner = createSqliteStore(':memory:')
  const store = { ...inner, close: async () => undefined }
  const live = async (options: Partial<RunServerOptions> = {}, cookie?: string) => {
    await server?.close()
    server = await startTestServer({ store, sessionSecret: 'same', isRecovering: false, ...options })
    return server.createBrowser(cookie)
  }
  return { store, live }
}

async function resume(browser: TestBrowser, runId: string, lastAppliedSeq = 0) {
  const response = await browser.send('/api/agent/stream', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ resume: { runId, lastAppliedSeq } }),
  })
  expect(response.status).toBe(200)
  return readFrames(response)
}

/** Follows a run to the end of its stream and approves what it asks. */
async function drive(browser: TestBrowser, runId: string): Promise<Frame[]> {
  const read: Frame[] = []
  for await (const frame of await resume(browser, runId)) {
    read.push(frame)
    if (nameOf(frame) !== 'approval.requested') continue
    const { approvalId } = envelopeOf(frame).event.payload as { approvalId: string }
    await browser.command(browser.commands(runId).create('approval.resolve', { approvalId, decision: 'approved' }))
  }
  return read
}

const textOf = (frames: readonly Frame[]) =>
  eventsOf(frames).map((event) => (event.type === 'message.delta' ? String(event.payload.delta) : '')).join('')
const typesOf = (frames: readonly Frame[]) => frames.map(nameOf).filter((name) => !name.endsWith('delta'))
const count = (frames: readonly Frame[], type: string) => frames.filter((frame) => nameOf(frame) === type).length

/** A store whose process dies after so many transactions: nothing is read or written from then on. */
function createMortalStore(store: RunServerStore) {
  const death = createGate()
  let left = Infinity
  let used = 0
  const live = () => {
    used += 1
    left -= 1
    if (left >= 0) return
    death.open()
    throw new Error('dead')
  }
  const transaction: RunServerStore['transaction'] = async (work) => {
    live()
    return store.transaction(work)
  }
  const read: RunServerStore['read'] = async (work) => {
    live()
    return store.read(work)
  }
  return {
    store: { ...store, transaction, read },
    death: death.opened,
    dieAfter: (transactions: number) => void (left = transactions),
    countUsed: () => used,
  }
}

describe('a run whose server was stopped', () => {
  it('comes to the same end wherever it was stopped, even twice, and does everything once', async () => {
    vi.spyOn(console, 'error').mockReturnValue(undefined)
    const play = async (deaths: readonly number[]) => {
      const { store, live } = createLives()
      let mortal = createMortalStore(store)
      let browser = await live({ store: mortal.store })
      const { runId } = await browser.start(prompt)
      const before = mortal.countUsed()
      for (const transactions of deaths) {
        mortal.dieAfter(transactions)
        await Promise.race([drive(browser, runId).catch(() => undefined), mortal.death])
        mortal = createMortalStore(store)
        browser = await live({ store: mortal.store }, browser.getCookie())
      }
      const read = await drive(browser, runId)
      const [, ...log] = read
      expectSoundLog(log, runId)
      expect(eventsOf(log).at(-1)!.type).toBe('run.completed')
      for (const type of ['approval.requested', 'approval.resolved']) expect(count(log, type)).toBe(1)
      for (const type of ['tool.running', 'tool.completed']) expect(count(log, type)).toBe(3)
      const guide = (await browser.request('GET', '/api/documents/onboarding-guide')).body
      expect(guide).toMatchObject({ version: 2 })
      return { text: textOf(log), used: mortal.countUsed() - before }
    }
    const { text, used } = await play([])
    for (let part = 0; part < 24; part += 1) expect((await play([Math.floor((used * part) / 24)])).text).toBe(text)
    for (let part = 1; part < 8; part += 1) {
      const first = Math.floor((used * part) / 8)
      expect((await play([first, 8 + part])).text).toBe(text)
    }
  })

  it('has not ended: it is interrupted, and its stream closes without an end until somebody resumes it', async () => {
    const { live } = createLives()
    const first = await live()
    const { runId, read } = await first.startToApproval(prompt)
    const later = await live({}, first.getCookie())
    expect((await later.request('GET', `/api/agent/runs/${runId}`)).body).toMatchObject({ status: 'interrupted' })
    expect((await readAll(await later.follow(runId))).slice(1)).toEqual(read)
    const ahead = { resume: { runId, lastAppliedSeq: 10_000 } }
    expect(await later.request('POST', '/api/agent/stream', ahead)).toMatchObject({ status: 409 })
    expect((await later.request('GET', `/api/agent/runs/${runId}`)).body).toMatchObject({ status: 'interrupted' })
    const end = await drive(later, runId)
    expectSoundLog(end.slice(1), runId)
    expect(end.slice(1, 1 + read.length)).toEqual(read)
    expect(end.at(-1)!.name).toBe('end')
  })

  it('goes on in the same message; a half-streamed call is cancelled and asked for anew', async () => {
    const { live } = createLives()
    const half = { choices: [{ delta: { tool_calls: [{ index: 0, id: 'a', function: { name: 'document_read' } }] } }] }
    const pieceOfIt = { choices: [{ delta: { tool_calls: [{ index: 0, function: { arguments: '{"docu' } }] } }] }
    const stuck = createGate().opened
    const first = await live({ model: createScriptedModel([[think('Hm'), say('Let me'), stuck]]) })
    const { frames, runId } = await first.start('Go', { assistantMessageId: 'answer' })
    await readUntil(frames, 'message.delta')

    const second = await live(
      { model: createScriptedModel([[say(' see.'), half, pieceOfIt, stuck]]) },
      first.getCookie(),
    )
    await readUntil(await resume(second, runId), 'tool.arguments_delta')

    const read = call('document_read', { documentId: 'travel-policy' }, 0, 'a')
    const model = createScriptedModel([
      [say('Let me see.'), read, ...finish('tool_calls')],
      [say('Done.'), ...finish('stop')],
    ])
    const third = await live({ model }, second.getCookie())
    const log = (await readAll(await resume(third, runId))).slice(1)
    expectSoundLog(log, runId)
    expect(textOf(log)).toBe('Let me see.Done.')
    expect(typesOf(log).slice(4)).toEqual([
      ...['reasoning.started', 'reasoning.completed', 'message.started', 'message.completed'],
      ...['tool.requested', 'tool.cancelled', 'tool.requested', 'tool.running', 'tool.completed'],
      ...['message.started', 'message.completed', 'run.completed', 'end'],
    ])
    const cancelled = eventsOf(log).find((event) => event.type === 'tool.cancelled')!
    expect(cancelled.payload).toEqual({ toolCallId: 'a', reason: 'interrupted' })
    expect(eventsOf(log).at(-1)!.payload).not.toHaveProperty('usage')
    expect(model.requests[0]!.messages.map(({ role, content }) => [role, content]).slice(1)).toEqual([
      ['user', 'Go'],
      ['assistant', 'Let me see.'],
      ['system', expect.stringContaining('cut off')],
    ])
    expect(model.requests[1]!.messages.map(({ role }) => role).slice(1)).toEqual(['user', 'assistant', 'tool'])
  })

  it('waits again for the decision it waited for, and acts once on one that nobody had acted on', async () => {
    const { store, live } = createLives()
    const first = await live()
    const { runId, approval } = await first.startToApproval(prompt)
    const { approvalId } = approval
    const second = await live({}, first.getCookie())
    // Sent to a run on which nobody works: that takes it up too.
    const decide = { approvalId, decision: 'modified' as const }
    const data = { arguments: { documentId: 'onboarding-guide', content: 'Mine' } }
    const command = second.commands(runId).create('approval.resolve', { ...decide, data })
    expect((await second.command(command)).status).toBe(200)
    const log = (await readAll(await resume(second, runId))).slice(1)
    expectSoundLog(log, runId)
    const guide = async (browser: TestBrowser) =>
      (await browser.request('GET', '/api/documents/onboarding-guide')).body
    expect(await guide(second)).toMatchObject({ version: 2, content: 'Mine' })

    // Decided, and the server was gone before the run heard of it.
    const { runId: other, approval: asked } = await second.startToApproval('Shorten the travel policy', {
      conversationId: 'c2',
    })
    await server.close()
    await store.transaction(async (transaction) => {
      const payload = { approvalId: asked.approvalId, decision: 'approved' as const }
      const drafts = [{ type: 'approval.resolved' as const, payload }]
      const [row] = await appendEvents(transaction, { runId: other, drafts, now: 1 })
      await transaction.approvals.update(other, asked.approvalId, { status: 'approved', resolvedSeq: row!.seq })
    })
    const third = await live({}, second.getCookie())
    const follow = async () => (await readAll(await resume(third, other))).slice(1)
    const [one, two] = await Promise.all([follow(), follow()])
    expectSoundLog(one, other)
    expect(one).toEqual(two)
    expect(count(one, 'approval.requested')).toBe(1)
    expect((await third.request('GET', '/api/documents/travel-policy')).body).toMatchObject({ version: 2 })
  })

  it('holds a failed call for another attempt, as it did before', async () => {
    const { live } = createLives()
    const timers = createManualTimers()
    const options = { setTimer: timers.setTimer, now: timers.now, holdMs: 120_000 }
    const first = await live(options)
    const { runId, approval, frames } = await first.startToApproval('Publish the release notes')
    const { approvalId, toolCallId } = approval
    await first.command(first.commands(runId).create('approval.resolve', { approvalId, decision: 'approved' }))
    await readUntil(frames, 'tool.failed')
    timers.advance(20_000)
    const second = await live(options, first.getCookie())
    const again = await resume(second, runId)
    await timers.whenSet(100_000)
    expect(await second.command(second.commands(runId).create('tool.retry', { toolCallId }))).toMatchObject({
      status: 200,
    })
    const failed = await readUntil(again, 'tool.failed')
    expect(failed.length).toBeGreaterThan(0)
    await again.return()
    await timers.whenSet(120_000)
    timers.advance(120_000)
    const log = (await readAll(await second.follow(runId))).slice(1)
    expectSoundLog(log, runId)
    expect(count(log, 'approval.requested')).toBe(1)
  })

  it('can be cancelled as it lies, and does not block its thread', async () => {
    const { live } = createLives()
    const first = await live()
    const one = await first.startToApproval(prompt)
    const two = await first.startToApproval(prompt, { conversationId: 'c2' })
    const later = await live({}, first.getCookie())
    const cancel = later.commands(one.runId).create('run.cancel', {})
    expect((await later.command(cancel)).body.events.map(({ event }) => event.type)).toEqual([
      ...['approval.resolved', 'tool.cancelled', 'run.cancelled'],
    ])
    await readAll((await later.start('List the documents', { conversationId: 'c2' })).frames)
    for (const { runId } of [one, two]) {
      const log = (await readAll(await resume(later, runId))).slice(1)
      expectSoundLog(log, runId)
      expect(typesOf(log).slice(-2)).toEqual(['run.cancelled', 'end'])
    }
  })
})

describe('the process of the server', () => {
  it('may be killed while the model speaks: the run goes on where its text ends', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'run-server-kill-'))
    const root = fileURLToPath(new URL('../..', import.meta.url))
    const children: ChildProcess[] = []
    const startProcess = async (tokenDelayMs: number) => {
      const env = { ...process.env, DATA_DIR: folder, PORT: '0', TOKEN_DELAY_MS: `${tokenDelayMs}`, OPENAI_API_KEY: '' }
      const child = spawn(process.execPath, ['--import', 'tsx', 'demo/server/main.ts'], { cwd: root, env })
      children.push(child)
      let output = ''
      for await (const text of child.stdout.setEncoding('utf8')) {
        output += text as string
        const url = /http:\/\/127\.0\.0\.1:\d+/.exec(output)?.[0]
        if (url !== undefined) return { url, child }
      }
      throw new Error(`The server did not start: ${output}`)
    }
    onTestFinished(() => {
      for (const child of children) child.kill('SIGKILL')
      rmSync(folder, { recursive: true })
    })
    const question = 'What do we say about refunds?'
    const first = await startProcess(10)
    const browser = createBrowser(first.url)
    const { runId, frames } = await browser.start(question)
    const seen = [...(await readUntil(frames, 'message.delta')), ...(await readUntil(frames, 'message.delta'))]
    first.child.kill('SIGKILL')
    await once(first.child, 'exit')

    const second = await startProcess(0)
    const later = createBrowser(second.url, browser.getCookie())
    // Nobody asks for it: it is taken up because its server is there again.
    const log = (await readAll(await later.follow(runId))).slice(1)
    expectSoundLog(log, runId)
    expect(eventsOf(log).slice(0, seen.length)).toEqual(eventsOf(seen))
    expect(eventsOf(log).at(-1)!.type).toBe('run.completed')
    const other = await later.start(question, { conversationId: 'c2' })
    expect(textOf(log)).toBe(textOf(await readAll(other.frames)))
  })
})
