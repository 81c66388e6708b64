import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { Server } from 'node:http'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createShutdown } from '../../demo/server/ops/createShutdown.ts'
import { createSqliteStore } from '../../demo/server/store/sqlite/createSqliteStore.ts'
import { startModel, type TestModel } from '../support/startModel.ts'
import { bundleScript } from './support/bundleScript.ts'
import { createBrowser } from './support/createBrowser.ts'
import { createManualTimers } from './support/createManualTimers.ts'
import { envelopeOf, readAll, readUntil } from './support/readFrames.ts'

let script: string
beforeAll(async () => {
  script = await bundleScript('main', 'demo/server')
})
afterAll(() => rmSync(script, { force: true }))

const cleanUps: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp()
})

async function launch(folder: string, model: TestModel) {
  const env = {
    ...process.env,
    ...model.serverEnv,
    ...{ DATA_DIR: folder, PORT: '0', HOST: '127.0.0.1', LOG_LEVEL: 'debug' },
    ...{ DATABASE_URL: '', CRASH_AT: '', NODE_NAME: '', STATIC_DIR: '' },
  }
  const child: ChildProcess = spawn(process.execPath, [script], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  cleanUps.push(() => child.kill('SIGKILL'))
  // By then all that it wrote has been read.
  const exited = once(child, 'close') as Promise<[number | null, string | null]>
  const lines: Record<string, unknown>[] = []
  const listening = new Promise<string>((resolve, reject) => {
    createInterface(child.stdout!).on('line', (line) => {
      const record = JSON.parse(line) as Record<string, unknown>
      lines.push(record)
      if (record.msg === 'listening') resolve(String(record.url))
    })
    void exited.then(() => reject(new Error('The server ended before it listened.')))
  })
  return { child, exited, lines, url: await listening }
}

describe('a server that is told to stop', () => {
  it('ends its streams where they are, lets go of its runs, exits with 0, and its successor goes on', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'run-server-stop-'))
    cleanUps.push(() => rmSync(folder, { recursive: true }))
    const model = await startModel({ tokenDelay: 0 })
    cleanUps.push(() => model.stop())
    const goOn = model.holdAt({ answer: 2, of: 'text', after: 5 })
    const first = await launch(folder, model)
    const browser = createBrowser(first.url)
    const { frames, runId } = await browser.start('Tell me about the travel policy')
    const read = await readUntil(frames, 'message.delta')
    await goOn.reached
    first.child.kill('SIGTERM')
    // A second one changes nothing.
    first.child.kill('SIGTERM')
    const rest = await readAll(frames)
    expect(await first.exited).toEqual([0, null])
    expect(rest.map(({ name }) => name)).not.toContain('end')
    const messages = first.lines.map(({ msg }) => msg)
    expect(messages.filter((message) => message === 'stopping' || message === 'stopped')).toEqual(['stopping', 'stopped'])

    const store = createSqliteStore(join(folder, 'run-server.sqlite'))
    const left = await store.read(async ({ runs, leases }) => ({
      run: await runs.get(runId),
      lease: await leases.get(runId),
    }))
    await store.close()
    expect(left.run!.status).toBe('running')
    expect(left.lease!.leaseHolder).toBeNull()

    goOn.open()
    const second = await launch(folder, model)
    const again = createBrowser(second.url, browser.getCookie())
    const seen = [...read, ...rest].filter(({ name }) => name === 'message').map((frame) => envelopeOf(frame).seq)
    const after = await readAll(await again.follow(runId, seen[seen.length - 1]))
    const more = after.filter(({ name }) => name === 'message').map(envelopeOf)
    const all = [...seen, ...more.map(({ seq }) => seq)]
    expect(all).toEqual(all.map((_, index) => index + 1))
    expect(more[more.length - 1]!.event.type).toBe('run.completed')
    expect(after[after.length - 1]!.name).toBe('end')
    second.child.kill('SIGINT')
    expect(await second.exited).toEqual([0, null])
  })
})

describe('stopping', () => {
  const prepare = (closeRuns: () => Promise<void>) => {
    const timers = createManualTimers()
    const messages: string[] = []
    const write = (first: unknown, message?: string) => void messages.push(message ?? String(first))
    let flushed = 0
    const exited = new Promise<number>((exit) => {
      const log = { info: write, error: write, flush: () => void (flushed += 1) } as never
      const shutDown = createShutdown({
        ...{ server: new Server(), closeRuns, closeModel: () => undefined, log, exit },
        setTimer: timers.setTimer,
      })
      shutDown('SIGTERM')
      shutDown('SIGTERM')
    })
    return { timers, messages, exited, getFlushed: () => flushed }
  }

  it('that does not come to an end in time ends all the same, and says so', async () => {
    const { timers, messages, exited, getFlushed } = prepare(() => new Promise(() => undefined))
    timers.advance(9_000)
    expect(await exited).toBe(1)
    expect([messages, getFlushed()]).toEqual([['stopping', 'not stopped in time'], 1])
  })

  it('that fails says so, once', async () => {
    const { messages, exited, getFlushed } = prepare(() => Promise.reject(new Error('disk')))
    expect(await exited).toBe(1)
    expect([messages, getFlushed()]).toEqual([['stopping', 'not stopped well'], 1])
  })
})
