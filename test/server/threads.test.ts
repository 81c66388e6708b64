import { afterEach, describe, expect, it } from 'vitest'
import { createLives, resumeRun } from './support/createLives.ts'
import { createGate, createScriptedModel, finish, say } from './support/createScriptedModel.ts'
import { expectSoundLog } from './support/expectSoundLog.ts'
import { eventsOf, readAll, readUntil } from './support/readFrames.ts'

let lives: ReturnType<typeof createLives> | undefined
afterEach(async () => {
  await lives?.close()
  lives = undefined
})

interface Run {
  runId: string
  threadId: string
  configurationId: string
  resumesRunId: string | null
  status: string
}

async function start(scripts: Parameters<typeof createScriptedModel>[0]) {
  lives = createLives()
  const model = createScriptedModel(scripts)
  const browser = (await lives.live({ model, models: ['other'] })).createBrowser()
  const readRun = async (runId: string) => (await browser.request<Run>('GET', `/api/agent/runs/${runId}`)).body as Run
  return { store: lives.store, model, browser, readRun }
}

describe('a thread', () => {
  it('goes on while its configuration is the same; another begins another thread, which the old one names', async () => {
    const { store, browser, readRun } = await start([])
    const ask = async (more: object = {}) => {
      const { frames, runId } = await browser.start('Go', { ...more })
      await readAll(frames)
      return readRun(runId)
    }
    const [first, second, third, back] = [await ask(), await ask(), await ask({ modelId: 'other' }), await ask()]
    expect(second).toMatchObject({ threadId: first.threadId, configurationId: first.configurationId })
    expect(third.threadId).not.toBe(first.threadId)
    expect(third.configurationId).not.toBe(first.configurationId)
    expect(back.configurationId).toBe(first.configurationId)
    expect(back.threadId).not.toBe(first.threadId)
    const threads = await store.read(async (transaction) =>
      Promise.all([first, third, back].map(({ threadId }) => transaction.threads.get(threadId))),
    )
    expect(threads.map((thread) => thread!.supersededBy)).toEqual([third.threadId, back.threadId, null])
    const { configuration } = (await store.read((transaction) =>
      transaction.configurations.get(third.configurationId),
    ))!
    expect(configuration).toMatchObject({ model: 'other', mode: 'chat', maxSteps: 12 })
  })

  it('keeps its configuration when it is resumed on a server that would choose another', async () => {
    const { browser } = await start([[say('So')]])
    const { frames, runId } = await browser.start('Go', { mode: 'plan' })
    await readAll(frames)
    const model = createScriptedModel([[say(' on.'), ...finish('stop')]])
    const server = await lives!.live({ model, defaultModel: 'new', models: ['local'], maxSteps: 3 })
    const later = server.createBrowser(browser.getCookie())
    expectSoundLog((await readAll(await resumeRun(later, runId))).slice(1), runId)
    expect(model.requests[0]).toMatchObject({ model: 'local' })
    expect(model.requests[0]!.tools.map(({ name }) => name)).not.toContain('document_update')
  })

  it('is busy while a run is under way, and free once that is superseded by name', async () => {
    const { browser, readRun } = await start([[say('Hm'), createGate().opened], [say('Yes'), ...finish('stop')]])
    const { frames, runId } = await browser.start('Go')
    await readUntil(frames, 'message.started')
    const next = { conversationId: 'c1', messages: [{ role: 'user', content: 'Next' }], modelId: 'other' }
    expect(await browser.request('POST', '/api/agent/stream', next)).toMatchObject({
      status: 409,
      body: { code: 'thread_busy', runId },
    })
    const second = await browser.start('Next', { modelId: 'other', supersede: true })
    await readAll(second.frames)
    const rest = await readAll(frames)
    expect(eventsOf(rest).at(-1)).toMatchObject({ type: 'run.cancelled', payload: { reason: 'superseded' } })
    const [old, made] = [await readRun(runId), await readRun(second.runId)]
    expect(old).toMatchObject({ status: 'cancelled' })
    expect(made.threadId).not.toBe(old.threadId)
  })
})

describe('a run', () => {
  it('may name the one whose work it goes on with, where that is over and of its conversation', async () => {
    const { browser, readRun } = await start([[say('So'), createGate().opened], finish('stop')])
    const { frames, runId } = await browser.start('Go')
    await readUntil(frames, 'message.started')
    const body = { conversationId: 'c2', messages: [{ role: 'user', content: 'Again' }], resumes: runId }
    expect(await browser.request('POST', '/api/agent/stream', body)).toMatchObject({
      status: 409,
      body: { code: 'not_resumed_by_another' },
    })
    await browser.command(browser.commands(runId).create('run.cancel', {}))
    await readAll(frames)
    const second = await browser.start('Again', { resumes: runId })
    await readAll(second.frames)
    expect(await readRun(second.runId)).toMatchObject({ resumesRunId: runId, status: 'completed' })
    expect(await browser.request('POST', '/api/agent/stream', { ...body, resumes: 'nowhere' })).toMatchObject({
      status: 404,
    })
  })

  it('tells the model that the open document has changed since it began', async () => {
    const { browser } = await start([[say('So')]])
    const { frames, runId } = await browser.start('Go', { currentDocument: { id: 'travel-policy' } })
    await readAll(frames)
    await browser.request('PATCH', '/api/documents/travel-policy', { content: 'Changed' })
    const model = createScriptedModel([[say(' on.'), ...finish('stop')]])
    const later = (await lives!.live({ model })).createBrowser(browser.getCookie())
    await readAll(await resumeRun(later, runId))
    expect(model.requests[0]!.messages[0]!.content).toContain('was changed since this run began')
  })
})
