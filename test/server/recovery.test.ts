import { afterEach, describe, expect, it } from 'vitest'
import { createLives, resumeRun } from './support/createLives.ts'
import { createManualTimers } from './support/createManualTimers.ts'
import { call, createGate, createScriptedModel, finish, say, think } from './support/createScriptedModel.ts'
import { describeEachStore } from './support/eachStore.ts'
import { expectSoundLog } from './support/expectSoundLog.ts'
import { eventsOf, nameOf, readAll, readUntil, type Frame } from './support/readFrames.ts'

let lives: ReturnType<typeof createLives> | undefined
afterEach(async () => {
  await lives?.close()
  lives = undefined
})

const textOf = (frames: readonly Frame[]) =>
  eventsOf(frames).map((event) => (event.type === 'message.delta' ? String(event.payload.delta) : '')).join('')
const statusOf = async (browser: { request(method: string, path: string): Promise<{ body: object }> }, runId: string) =>
  (await browser.request('GET', `/api/agent/runs/${runId}`)).body

describe('an answer that breaks off', () => {
  it('interrupts the run: its stream ends without an end, and a resume goes on in the same message', async () => {
    lives = createLives()
    const model = createScriptedModel([[say('One, ')], [say('two.'), ...finish('stop')]])
    const browser = (await lives.live({ model })).createBrowser()
    const { frames, runId } = await browser.start('Count', { assistantMessageId: 'answer' })
    const seen = await readAll(frames)
    expect(seen.at(-1)!.name).toBe('message')
    expect(await statusOf(browser, runId)).toMatchObject({ status: 'interrupted', interruption: 'model_cut' })
    const conversation = () => browser.request<{ messages: object[] }>('GET', '/api/agent/conversations/c1')
    const shown = { id: 'answer', content: 'One, ', status: 'streaming' }
    expect((await conversation()).body.messages[1]).toMatchObject(shown)

    const log = (await readAll(await resumeRun(browser, runId))).slice(1)
    expectSoundLog(log, runId)
    expect(textOf(log)).toBe('One, two.')
    // The same message, in its place.
    const { messages } = (await conversation()).body
    expect(messages).toHaveLength(2)
    expect(messages[1]).toMatchObject({ id: 'answer', content: 'One, two.', status: 'completed' })
  })

  it('is not tried for ever where it gets nowhere', async () => {
    lives = createLives()
    const model = createScriptedModel(Array.from({ length: 9 }, () => []))
    const server = await lives.live({ model, recovery: { maxIdleRecoveries: 2 } })
    const browser = server.createBrowser()
    const { frames, runId } = await browser.start('Go')
    await readAll(frames)
    const ends: string[] = []
    // The first one after the start still finds its beginning as progress.
    for (let turn = 0; turn < 4; turn += 1) ends.push(nameOf((await readAll(await resumeRun(browser, runId))).at(-1)!))
    expect(ends).toEqual([...Array.from({ length: 3 }, () => 'message.completed'), 'end'])
    const log = (await readAll(await browser.follow(runId))).slice(1)
    expectSoundLog(log, runId)
    expect(eventsOf(log).at(-1)!.payload).toMatchObject({ error: { code: 'recovery_exhausted', retryable: false } })
    expect(model.requests).toHaveLength(4)
  })

  it('cannot be gone on with under another model: its thread was begun with the one that is gone', async () => {
    lives = createLives()
    const first = await lives.live({ model: createScriptedModel([[say('So')]]), defaultModel: 'old' })
    const browser = first.createBrowser()
    const { frames, runId } = await browser.start('Go')
    await readAll(frames)
    const second = (await lives.live({ defaultModel: 'new' })).createBrowser(browser.getCookie())
    const log = await readAll(await resumeRun(second, runId))
    const data = { reason: 'model_unavailable', recoverable: false }
    expect(log.at(-1)).toMatchObject({ name: 'resume-unavailable', id: undefined, data })
    expect(textOf(log)).toBe('So')
    expect(await statusOf(second, runId)).toMatchObject({ status: 'interrupted', model: 'old' })
  })
})

describe('a server that stops', () => {
  it('keeps what was said but not stored yet, and lets others go on at once', async () => {
    lives = createLives()
    const timers = createManualTimers()
    const model = createScriptedModel([[think('Hm'), say('So '), say('far'), createGate().opened]])
    const first = await lives.live({ ...timers, gatherMs: 50, model })
    const browser = first.createBrowser()
    const { frames, runId } = await browser.start('Go')
    await readUntil(frames, 'reasoning.completed')
    await readUntil(frames, 'message.started')
    await timers.whenSet(50)
    await first.close()
    const next = createScriptedModel([[say(' and on.'), ...finish('stop')]])
    const second = await lives.live({ ...timers, gatherMs: 0, model: next, node: 'another' })
    const log = (await readAll(await second.createBrowser(browser.getCookie()).follow(runId))).slice(1)
    expectSoundLog(log, runId)
    expect(textOf(log)).toBe('So far and on.')
  })

  it('leaves runs that take it down every time, until they are given up', async () => {
    lives = createLives()
    const timers = createManualTimers()
    // Each of them works for ever and sends no heartbeat: to the others it is dead.
    const options = () => ({
      now: timers.now,
      setTimer: () => () => undefined,
      model: createScriptedModel([[createGate().opened]]),
      recovery: { maxIdleRecoveries: 1 },
    })
    const browser = (await lives.live({ ...options(), node: 'one' })).createBrowser()
    const { runId } = await browser.start('Go')
    for (const node of ['two', 'three']) {
      timers.advance(15_001)
      await lives.live({ ...options(), node })
    }
    timers.advance(15_001)
    const last = (await lives.live({ ...options(), node: 'four' })).createBrowser(browser.getCookie())
    const log = (await readAll(await last.follow(runId))).slice(1)
    expectSoundLog(log, runId)
    expect(eventsOf(log).at(-1)!.payload).toMatchObject({ error: { code: 'recovery_exhausted' } })
  })
})

describeEachStore('a run whose node froze', (stores) => {
  it('is another’s once its lease has run out, and the zombie that wakes up is refused', async () => {
    const clocks = [createManualTimers(), createManualTimers()] as const
    const frozen = createGate()
    const nodes = await Promise.all([stores.open(), stores.open()])
    const search = call('document_search', { query: '' }, 0, 'search')
    const firstModel = createScriptedModel([[say('Old '), search, frozen.opened, ...finish('tool_calls')]])
    const secondModel = createScriptedModel([
      [search, ...finish('tool_calls')],
      [say('new.'), ...finish('stop')],
    ])
    lives = createLives(nodes[0])
    const others = createLives(nodes[1])
    try {
      const first = await lives.live({ ...clocks[0], model: firstModel, node: 'first' })
      const browser = first.createBrowser()
      const { frames, runId } = await browser.start('Go')
      await readUntil(frames, 'tool.requested')
      clocks[1].advance(14_000)
      const second = await others.live({ ...clocks[1], model: secondModel, node: 'second' })
      const follower = second.createBrowser(browser.getCookie())
      expect(await statusOf(follower, runId)).toMatchObject({ status: 'running' })
      clocks[1].advance(6_000)
      const log = (await readAll(await follower.follow(runId))).slice(1)
      expectSoundLog(log, runId)
      expect(textOf(log)).toBe('Old new.')
      frozen.open()
      // Nobody tells it: it looks.
      clocks[0].advance(1_500)
      await readAll(frames)
      expect((await readAll(await browser.follow(runId))).slice(1)).toEqual(log)
    } finally {
      await others.close()
    }
  })

  it('can be cancelled at another node: the one that works on it starts no tool any more', async () => {
    const gate = createGate()
    const update = call('document_update', { documentId: 'onboarding-guide', content: 'x' }, 0, 'update')
    const model = createScriptedModel([[say('I '), update, gate.opened, ...finish('tool_calls')]])
    lives = createLives(await stores.open())
    const others = createLives(await stores.open())
    try {
      const first = (await lives.live({ model, node: 'first' })).createBrowser()
      const { frames, runId } = await first.start('Go')
      await readUntil(frames, 'tool.requested')
      const second = (await others.live({ node: 'second' })).createBrowser(first.getCookie())
      const answer = await second.command(second.commands(runId).create('run.cancel', { reason: 'Enough' }))
      expect(answer.status).toBe(200)
      gate.open()
      const log = (await readAll(await second.follow(runId))).slice(1)
      expectSoundLog(log, runId)
      expect(log.map(nameOf).filter((name) => name === 'tool.running')).toEqual([])
      expect(model.requests).toHaveLength(1)
      const late = await first.command(first.commands(runId).create('run.cancel', {}))
      expect(late).toMatchObject({ status: 409, body: { code: 'run_ended', runStatus: 'cancelled' } })
    } finally {
      await others.close()
    }
  })

  it('takes a decision at any node, and acts on it once', async () => {
    lives = createLives(await stores.open())
    const others = createLives(await stores.open())
    try {
      const first = (await lives.live({ node: 'first', pollMs: 50 })).createBrowser()
      const { read, frames, runId, approval } = await first.startToApproval('Shorten the travel policy')
      const second = (await others.live({ node: 'second' })).createBrowser(first.getCookie())
      const { approvalId } = approval
      const commands = [first, second].map((browser) => {
        const command = browser.commands(runId).create('approval.resolve', { approvalId, decision: 'approved' })
        return browser.command(command)
      })
      const statuses = (await Promise.all(commands)).map(({ status }) => status).sort()
      expect(statuses).toEqual([200, 409])
      const log = [...read, ...(await readAll(frames))]
      expectSoundLog(log, runId)
      const guide = await second.request('GET', '/api/documents/travel-policy')
      expect(guide.body).toMatchObject({ version: 2 })
    } finally {
      await others.close()
    }
  })
})
