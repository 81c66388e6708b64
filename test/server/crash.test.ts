import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AgentCommand } from 'redux-agent'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createCrashPoint } from '../../demo/server/createCrashPoint.ts'
import { crashPoints } from '../../demo/server/runs/crashPoint.ts'
import { createSqliteStore } from '../../demo/server/store/sqlite/createSqliteStore.ts'
import { bundleScript } from './support/bundleScript.ts'
import { createBrowser, type CommandBody, type TestBrowser } from './support/createBrowser.ts'
import { expectSoundLog } from './support/expectSoundLog.ts'
import { createLyingNotice, createNoticeModel, createSendNotice } from './support/noticeScenario.ts'
import { envelopeOf, eventsOf, nameOf, readFrames, type Frame } from './support/readFrames.ts'
import { startTestServer, type TestServer } from './support/startTestServer.ts'

let script: string
beforeAll(async () => {
  script = await bundleScript('crashingServer')
})
afterAll(() => rmSync(script, { force: true }))

const cleanUps: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp()
})

function createFiles() {
  const folder = mkdtempSync(join(tmpdir(), 'run-server-crash-'))
  cleanUps.push(() => rmSync(folder, { recursive: true }))
  return { storeFile: join(folder, 'runs.sqlite'), effectsFile: join(folder, 'effects') }
}
type Files = ReturnType<typeof createFiles>

async function startDoomed({ storeFile, effectsFile }: Files, crashAt: string) {
  const env = { ...process.env, CRASH_AT: crashAt, STORE_FILE: storeFile, EFFECTS_FILE: effectsFile, DATABASE_URL: '' }
  const child: ChildProcess = spawn(process.execPath, [script], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  cleanUps.push(() => child.kill('SIGKILL'))
  const exited = once(child, 'exit')
  const [output] = (await Promise.race([once(child.stdout!, 'data'), exited])) as [unknown]
  return { url: String(output).trim(), exited }
}

async function startSuccessor(
  { storeFile, effectsFile }: Files,
  tool = createSendNotice(effectsFile),
): Promise<TestServer> {
  const server = await startTestServer({
    model: createNoticeModel(),
    tools: [tool],
    store: createSqliteStore(storeFile),
    sessionSecret: 'same',
  })
  cleanUps.push(() => server.close())
  return server
}

const body = { runId: 'r1', conversationId: 'c1', messages: [{ role: 'user', content: 'Tell everybody.' }] }
const post = (browser: TestBrowser, content: object) =>
  browser.send('/api/agent/stream', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(content),
  })

/** A person who sees a run through: starts it, approves, and looks for themselves where nobody knows what was done. */
function createPerson({ effectsFile }: Files) {
  const acknowledged: CommandBody[] = []
  const factory = createBrowser('').commands('r1')
  // Made once, as a client that sends them again does.
  const made = new Map<string, AgentCommand>()
  const command = (id: string, make: () => AgentCommand) => {
    const known = made.get(id) ?? make()
    made.set(id, known)
    return known
  }
  const decide = (frame: Frame) => {
    const { type, payload } = envelopeOf(frame).event
    if (type === 'approval.requested') {
      const { approvalId } = payload as { approvalId: string }
      return command(approvalId, () => factory.create('approval.resolve', { approvalId, decision: 'approved' }))
    }
    if (type !== 'tool.failed') return undefined
    const { toolCallId, error } = payload as { toolCallId: string; error: { code: string } }
    expect(error.code).toBe('outcome_unknown')
    return command(toolCallId, () =>
      countEffects(effectsFile) > 0
        ? factory.create('run.cancel', { reason: 'It was sent.' })
        : factory.create('tool.retry', { toolCallId }),
    )
  }
  return {
    acknowledged,
    /** Drives the run as far as this server lives; gives the frames when it has come to its end. */
    async drive(browser: TestBrowser): Promise<Frame[] | undefined> {
      const read: Frame[] = []
      try {
        const response = await post(browser, body)
        expect(response.status).toBe(200)
        for await (const frame of readFrames(response)) {
          if (frame.name === 'end') return read
          if (frame.name !== 'message') continue
          read.push(frame)
          const decision = decide(frame)
          if (decision === undefined) continue
          const answer = await browser.command(decision)
          if (answer.status === 200) acknowledged.push(answer.body)
        }
      } catch (error) {
        if (error instanceof Error && error.name === 'AssertionError') throw error
      }
      return undefined
    },
  }
}

const countEffects = (file: string) => (existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').length : 0)

describe('a server that is killed', () => {
  const isUnknown = (crashAt: string) => /^tool-effect\.after|^ledger-ended\.before:2/.test(crashAt)
  const turns = [...crashPoints.map((name) => `${name}:1`), 'event.before:6', 'event.after:9', 'event.after:14']
  const more = ['checkpoint.before:3', 'checkpoint.after:5', 'ledger-started.after:2', 'tool-effect.before:2']
  const last = ['tool-effect.after:1', 'ledger-ended.before:2', 'ledger-ended.after:2']
  it.each([...new Set([...turns, ...more, ...last])])(
    'at %s loses nothing that was acknowledged, and its successor does nothing twice',
    async (crashAt) => {
      const files = createFiles()
      const person = createPerson(files)
      const doomed = await startDoomed(files, crashAt)
      const first = createBrowser(doomed.url)
      // A request of its own, so that its cookie is there however early the server dies.
      await first.request('GET', '/api/agent/conversations')
      expect(await person.drive(first)).toBeUndefined()
      expect(await doomed.exited).toEqual([null, 'SIGKILL'])

      const successor = await startSuccessor(files)
      const log = await person.drive(successor.createBrowser(first.getCookie()))
      expectSoundLog(log!, 'r1')
      const types = log!.map(nameOf)
      const ending = types.at(-1)
      expect(['run.completed', 'run.cancelled']).toContain(ending)
      expect(countEffects(files.effectsFile)).toBe(1)
      expect(types.filter((type) => type === 'approval.resolved')).toHaveLength(1)
      // Only where the process died between the effect and its record does nobody know of it.
      expect(ending).toBe(isUnknown(crashAt) ? 'run.cancelled' : 'run.completed')
      for (const { events } of person.acknowledged) {
        for (const { event } of events) expect(eventsOf(log!)).toContainEqual(event)
      }
    },
  )

  it('does a thing twice where its tool says that it only writes to the store (negative control)', async () => {
    const files = createFiles()
    const person = createPerson(files)
    const doomed = await startDoomed(files, 'lie')
    const first = createBrowser(doomed.url)
    await first.request('GET', '/api/agent/conversations')
    expect(await person.drive(first)).toBeUndefined()
    const lying = createLyingNotice(files.effectsFile, { dies: false })
    const successor = await startSuccessor(files, lying)
    await person.drive(successor.createBrowser(first.getCookie()))
    expect(countEffects(files.effectsFile)).toBe(2)
  })

  it('refuses to start where it is to die at a point that there is not', () => {
    expect(() => createCrashPoint('nowhere:1')).toThrow(/no point "nowhere"/)
    expect(createCrashPoint('')('event.before')).toBeUndefined()
  })
})
