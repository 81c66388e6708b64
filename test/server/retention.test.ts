import { readFileSync } from 'node:fs'
import { afterEach, describe, expect, it } from 'vitest'
import { createRunStream } from '../../demo/server/http/createRunStream.ts'
import type { AgentRunCheckpoint } from '../../demo/server/runs/agentRunCheckpoint.ts'
import { appendEvents } from '../../demo/server/runs/appendEvents.ts'
import { createRunSignals } from '../../demo/server/runs/createRunSignals.ts'
import { checkpointKinds } from '../../demo/server/store/rows.ts'
import { createSqliteStore } from '../../demo/server/store/sqlite/createSqliteStore.ts'
import { createLives, resumeRun } from './support/createLives.ts'
import { createManualTimers } from './support/createManualTimers.ts'
import { createRunRow } from './support/createRunRow.ts'
import { call, createScriptedModel, finish, say, think } from './support/createScriptedModel.ts'
import { expectSoundLog } from './support/expectSoundLog.ts'
import { eventsOf, nameOf, readAll, readFrames, readUntil } from './support/readFrames.ts'

let lives: ReturnType<typeof createLives> | undefined
afterEach(async () => {
  await lives?.close()
  lives = undefined
})

const day = 24 * 60 * 60_000

describe('checkpoints', () => {
  it('stand at the moments of the protocol, as frames that move no cursor, and hold no document’s text', async () => {
    lives = createLives()
    const model = createScriptedModel([
      [
        ...[think('Hm. '), say('I read '), say('it first.')],
        call('document_read', { documentId: 'travel-policy' }, 0, 'read'),
        ...finish('tool_calls'),
      ],
      [say('It is long.')],
      [say(' Done.'), ...finish('stop')],
    ])
    const server = await lives.live({ model, checkpointLength: 5 })
    const browser = server.createBrowser()
    const { frames, runId } = await browser.start('Go', { currentDocument: { id: 'travel-policy' } })
    await readAll(frames)
    const log = await readAll(await resumeRun(browser, runId, { withCheckpoints: true }))
    const places = log.filter(({ name }) => name === 'checkpoint')
    expect(places.every(({ id }) => id === undefined)).toBe(true)
    const kinds = new Set(places.map(({ data }) => data.checkpointKind))
    expect([...kinds].sort()).toEqual([...checkpointKinds].sort())
    // A frame stands right behind the event that it was taken at.
    for (const [index, { data }] of log.entries()) {
      if (data.type !== 'checkpoint') continue
      const before = log.slice(0, index).findLast(({ name }) => name === 'message')!
      expect(data.seq).toBe(before.data.seq)
    }
    const { body } = await browser.request('GET', `/api/agent/runs/${runId}/checkpoint`)
    const checkpoint = body as unknown as AgentRunCheckpoint
    expect(checkpoint).toMatchObject({
      runId,
      kind: 'run_finished',
      seq: eventsOf(log).length,
      textLength: 'I read it first.It is long. Done.'.length,
      reasoningLength: 'Hm. '.length,
      completedToolCallIds: ['read'],
      pendingToolCallIds: [],
      lastIteration: 2,
      resumeState: {
        mode: 'chat',
        currentDocument: { id: 'travel-policy', contentHash: expect.stringMatching(/^[\da-f]{64}$/) },
        assistantDraft: { text: 'It is long. Done.' },
        toolResults: [
          {
            toolCallId: 'read',
            toolName: 'document_read',
            argumentsJson: '{"documentId":"travel-policy"}',
            result: { content: { length: expect.any(Number), contentHash: expect.any(String) } },
          },
        ],
      },
    })
    const line = readFileSync(new URL('../../demo/server/documents/seed/travel-policy.md', import.meta.url), 'utf8')
      .split('\n')
      .find((text) => text.length > 40)!
    expect(JSON.stringify(checkpoint)).not.toContain(line)
    expect(JSON.stringify(eventsOf(log))).toContain(line)
  })
})

describe('retention', () => {
  it('drops a log whole, after which its cursors are refused with what is left', async () => {
    lives = createLives()
    const timers = createManualTimers()
    const { maintain, ...server } = await lives.live({ now: timers.now })
    const browser = server.createBrowser()
    const { frames, runId } = await browser.start('List the documents')
    const { length: lastSeq } = eventsOf(await readAll(frames))
    expect(await maintain()).toMatchObject({ dropped: 0, compacted: 1 })
    expect(await readAll(await browser.follow(runId))).toHaveLength(lastSeq + 2)

    timers.advance(day)
    expect(await maintain()).toEqual({ ended: 0, dropped: 1, compacted: 0, forgotten: 0 })
    const checkpoint = { seq: lastSeq, kind: 'run_finished', url: `/api/agent/runs/${runId}/checkpoint` }
    const refusal = { status: 410, body: { code: 'cursor_expired', earliestSeq: lastSeq + 1, lastSeq, checkpoint } }
    const path = `/api/agent/runs/${runId}`
    expect(await browser.request('GET', `${path}/stream`)).toMatchObject(refusal)
    expect(await browser.request('GET', `${path}/events?after=${lastSeq - 1}`)).toMatchObject(refusal)
    const resume = { resume: { runId, lastAppliedSeq: 1 } }
    expect(await browser.request('POST', '/api/agent/stream', resume)).toMatchObject(refusal)
    // Whoever had read it all misses nothing, and the page has what it shows for good.
    expect((await readAll(await browser.follow(runId, lastSeq))).map(nameOf)).toEqual(['resume-start', 'end'])
    expect(await browser.request('GET', checkpoint.url)).toMatchObject({ status: 200, body: { seq: lastSeq } })
    const { body } = await browser.request<{ messages: unknown[] }>('GET', '/api/agent/conversations/c1')
    expect(body.messages.length).toBeGreaterThan(1)
    expect((await maintain()).dropped).toBe(0)
  })

  it('gives up a run that nobody came back to, and forgets old commands', async () => {
    lives = createLives()
    const timers = createManualTimers()
    const { maintain, ...server } = await lives.live({ now: timers.now })
    const browser = server.createBrowser()
    const { runId, read, frames } = await browser.startToApproval('Shorten the travel policy')
    timers.advance(day)
    expect(await maintain()).toMatchObject({ ended: 1, dropped: 0 })
    const log = [...read, ...(await readAll(frames))]
    expectSoundLog(log, runId)
    expect(eventsOf(log).at(-1)).toMatchObject({ type: 'run.failed', payload: { error: { code: 'run_expired' } } })
    const other = await browser.start('List the documents', { conversationId: 'c2' })
    await browser.command(browser.commands(other.runId, 'c2').create('run.cancel', {}))
    await readAll(other.frames)
    timers.advance(day + 1)
    // The command, and what the two runs were started with.
    expect((await maintain()).forgotten).toBe(3)
  })
})

/** A log of many pages, which a reader of its own opens; `countPages` gives how many were read. */
async function createLongLog() {
  const store = createSqliteStore(':memory:')
  const timers = createManualTimers()
  const signals = createRunSignals({ store, setTimer: timers.setTimer, pollMs: 1_000 })
  await store.transaction(async (transaction) => {
    await transaction.runs.insert(createRunRow())
    const drafts = Array.from({ length: 1_000 }, (_, index) => ({
      type: 'message.delta' as const,
      payload: { messageId: 'm', delta: `${index} ` },
    }))
    await appendEvents(transaction, { runId: 'r1', drafts, now: 1 })
    await appendEvents(transaction, { runId: 'r1', drafts: [{ type: 'run.completed', payload: {} }], now: 1 })
  })
  let pages = 0
  const services = {
    store: {
      ...store,
      glance: (work: Parameters<typeof store.glance>[0]) => {
        pages += 1
        return store.glance(work)
      },
    } as typeof store,
    signals,
    setTimer: timers.setTimer,
    ...{ keepAliveMs: 15_000, parkAfterMs: 300_000, stallMs: 30_000 },
    closing: new AbortController().signal,
  }
  const first = { type: 'run-start', runId: 'r1', seq: 1, assistantMessageId: 'a1' } as const
  const open = () => createRunStream(services, { runId: 'r1', after: 0, first })
  return { store, timers, open, countPages: () => pages }
}

describe('a reader that stops reading', () => {
  it('holds one page, and is cut after a while, while one that reads gets everything', async () => {
    const { store, timers, open, countPages } = await createLongLog()
    const slow = open().getReader()
    expect((await slow.read()).done).toBe(false)
    expect((await slow.read()).done).toBe(false)
    for (let turn = 0; turn < 3; turn += 1) {
      await timers.whenSet(15_000)
      timers.advance(15_000)
      await Promise.resolve()
    }
    // What it had not read by then is gone with it: it goes on from its cursor.
    await expect((async () => void (await slow.read()))()).rejects.toThrow(/stopped reading/)
    expect(countPages()).toBe(1)
    expect(timers.count()).toBe(0)

    const read = await readAll(readFrames(new Response(open())))
    expect(read).toHaveLength(1_003)
    await store.close()
  })

  it('is told of no end that it has not seen, where retention drops the rest of the log meanwhile', async () => {
    const { store, open } = await createLongLog()
    const frames = readFrames(new Response(open()))
    const read = await readUntil(frames, 'message.delta')
    await store.transaction(async ({ events, runs }) => {
      await events.removeAll('r1')
      await runs.update('r1', { firstSeq: 1_002 })
    })
    read.push(...(await readAll(frames)))
    expect(read.length).toBeLessThan(1_000)
    expect(nameOf(read.at(-1)!)).toBe('message.delta')
    await store.close()
  })
})
