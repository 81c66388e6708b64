import { afterEach, describe, expect, it, vi } from 'vitest'
import * as z from 'zod'
import { defineTool, type AgentTool } from '../../demo/server/tools/agentTool.ts'
import { ToolError } from '../../demo/server/tools/toolError.ts'
import { createLives } from './support/createLives.ts'
import { call, createGate, createScriptedModel, finish, say } from './support/createScriptedModel.ts'
import { describeEachStore } from './support/eachStore.ts'
import { expectSoundLog } from './support/expectSoundLog.ts'
import { envelopeOf, nameOf, readAll, readUntil } from './support/readFrames.ts'
import { startTestServer, type TestServer } from './support/startTestServer.ts'

/** A tool that acts outside at once, as `perform` says. */
const createOutside = (perform: AgentTool['perform']) =>
  defineTool({ name: 'outside', description: 'Acts.', effect: 'external', schema: z.object({}), perform })

let server: TestServer | undefined
afterEach(async () => {
  await server?.close()
  server = undefined
})

describe('a tool that acts outside', () => {
  it('acts under the same key again while nobody knows what became of it, and under a new one after a refusal', async () => {
    vi.spyOn(console, 'error').mockReturnValue(undefined)
    const keys: string[] = []
    const outside = createOutside(async (_input, { idempotencyKey }) => {
      keys.push(idempotencyKey)
      if (keys.length <= 2) throw new TypeError('The connection broke off.')
      if (keys.length === 3) throw new ToolError({ code: 'busy', message: 'Not now.', retryable: true })
      return 'done'
    })
    const asked = [call('outside', {}, 0, 'first'), ...finish('tool_calls')]
    const model = createScriptedModel([asked, [say('Done.'), ...finish('stop')]])
    server = await startTestServer({ model, tools: [outside] })
    const browser = server.createBrowser()
    const { frames, runId } = await browser.start('Go')
    const read = []
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      read.push(...(await readUntil(frames, 'tool.failed')))
      const { toolCallId } = envelopeOf(read.at(-1)!).event.payload as { toolCallId: string }
      const retry = browser.commands(runId).create('tool.retry', { toolCallId })
      expect((await browser.command(retry)).status).toBe(200)
    }
    read.push(...(await readAll(frames)))
    expectSoundLog(read, runId)
    expect(keys.slice(0, 3)).toEqual(Array.from({ length: 3 }, () => `${runId}:first`))
    expect(keys[3]).not.toBe(keys[0])
    expect(keys).toHaveLength(4)
  })
})

describeEachStore('a cancel while a tool acts', (stores) => {
  it.each(['the node that works on it', 'another node'])('sent to %s: no later tool starts', async (where) => {
    const begun = createGate()
    const goOn = createGate()
    const performed: string[] = []
    const outside = createOutside(async (_input, { idempotencyKey }) => {
      performed.push(idempotencyKey)
      begun.open()
      await goOn.opened
      return 'done'
    })
    const calls = [call('outside', {}, 0, 'one'), call('outside', {}, 1, 'two'), call('document_search', { query: '' }, 2, 'three')]
    const model = createScriptedModel([[...calls, ...finish('tool_calls')]])
    const store = await stores.open()
    const lives = createLives(store)
    const others = createLives(await stores.open())
    try {
      const first = (await lives.live({ model, tools: [outside], node: 'first' })).createBrowser()
      const { frames, runId } = await first.start('Go')
      const second = (await others.live({ node: 'second' })).createBrowser(first.getCookie())
      await begun.opened
      const browser = where === 'another node' ? second : first
      const answer = await browser.command(browser.commands(runId).create('run.cancel', { reason: 'Enough' }))
      expect(answer.status).toBe(200)
      goOn.open()
      const log = (await readAll(await second.follow(runId))).slice(1)
      expectSoundLog(log, runId)
      expect(log.map(nameOf).filter((name) => name === 'tool.running')).toHaveLength(1)
      expect(log.map(nameOf).slice(-2)).toEqual(['run.cancelled', 'end'])
      await readAll(frames)
      // Whoever worked on it has stopped for good once its server has.
      await lives.close()
      expect(performed).toEqual([`${runId}:one`])
      expect(model.requests).toHaveLength(1)
      const rows = await store.read(({ toolCalls }) => toolCalls.listByRun(runId))
      const statuses = rows.map(({ toolCallId, status }) => [toolCallId, status]).sort()
      // What the first one did outside nobody knows; the others did nothing.
      expect(statuses).toEqual([
        ['one', 'unknown'],
        ['three', 'cancelled'],
        ['two', 'cancelled'],
      ])
    } finally {
      await lives.close()
      await others.close()
    }
  })
})
