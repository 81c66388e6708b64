import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'

export interface DemoOptions {
  /** Where the page is served: this port or the next free one; 0 for any. Default 5173. */
  readonly webPort?: number
  /** Where the run server listens: this port or the next free one; 0 for any. Default: PORT, else 8787. */
  readonly serverPort?: number
  /** Environment variables of the run server, e.g. `DATA_DIR` (default `.data`). */
  readonly serverEnv?: Readonly<Record<string, string>>
  /** The folder of a page that was built: it is served from there, in place of the development server. */
  readonly pageFolder?: string
  /** Whether the output of both servers is shown. Default false: it is shown only when one of them fails. */
  readonly verbose?: boolean
}

export interface Demo {
  readonly url: string
  readonly serverUrl: string
  /** Resolves with the first of both servers that ended, and how: by which signal, or with which exit code. */
  readonly ended: Promise<string>
  /** Ends the run server as a crash would, by SIGKILL: it saves nothing and says goodbye to nobody. */
  readonly killServer: () => Promise<void>
  /** Starts a run server that was killed again, on the same port and the same data; resolves once it answers. */
  readonly restartServer: () => Promise<void>
  readonly stop: () => Promise<void>
}

const root = fileURLToPath(new URL('..', import.meta.url))
const host = '127.0.0.1'
const startLimit = 180_000
const stopLimit = 5_000

/**
 * Starts the run server and the page's server, and resolves once both answer.
 *
 * @throws Error with the output of the server that did not start
 */
export const startDemo = async (options: DemoOptions = {}): Promise<Demo> => {
  const serverPort = await findPort(options.serverPort ?? Number(process.env['PORT'] ?? 8787))
  const webPort = await findPort(options.webPort ?? 5173)
  const serverUrl = `http://${host}:${serverPort}`
  const url = `http://${host}:${webPort}`
  const { pageFolder, verbose = false } = options

  const startServer = () =>
    startProcess({
      name: 'The run server',
      args: ['--import', 'tsx', 'demo/server/main.ts'],
      // The address is what a person looks for here, not the server's log.
      env: { DATA_DIR: '.data', LOG_LEVEL: 'warn', ...process.env, ...options.serverEnv, PORT: String(serverPort) },
      verbose,
    })
  const startWeb = () =>
    startProcess({
      name: "The page's server",
      args: [
        'node_modules/vite/bin/vite.js',
        ...(pageFolder === undefined ? [] : ['preview', '--outDir', pageFolder]),
        ...['--config', 'demo/web/vite.config.ts', '--port', String(webPort), '--strictPort', '--host', host],
      ],
      // Not the NODE_ENV of a test run that starts this: React takes its build from it.
      env: { ...process.env, RUN_SERVER_URL: serverUrl, NODE_ENV: 'development' },
      verbose,
    })
  let server = startServer()
  const started = [server]
  const stop = async (): Promise<void> => {
    await Promise.all(started.map((process) => process.stop()))
  }
  try {
    await server.answers(serverUrl)
    const web = startWeb()
    started.push(web)
    await web.answers(url)
    return {
      url,
      serverUrl,
      ended: Promise.race(started.map((process) => process.ended)),
      killServer: () => server.kill(),
      async restartServer() {
        server = startServer()
        started.push(server)
        await server.answers(serverUrl)
      },
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

interface ProcessOptions {
  readonly name: string
  readonly args: readonly string[]
  readonly env: NodeJS.ProcessEnv
  readonly verbose: boolean
}

interface StartedProcess {
  readonly ended: Promise<string>
  readonly answers: (url: string) => Promise<void>
  readonly kill: () => Promise<void>
  readonly stop: () => Promise<void>
}

const startProcess = ({ name, args, env, verbose }: ProcessOptions): StartedProcess => {
  const child = spawn(process.execPath, [...args], { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-20_000)
      if (verbose) process.stdout.write(text)
    })
  }
  const ended = once(child, 'close').then(() => `${name} ${describeEnd(child)}`)
  const fail = (what: string): never => {
    throw new Error(`${name} ${what}. ${verbose ? 'Its output above says why.' : `Its output:\n${output}`}`)
  }
  return {
    ended,
    answers: async (url) => {
      const deadline = Date.now() + startLimit
      while (!(await isAnswering(url))) {
        if (hasEnded(child)) fail(`${describeEnd(child)} before it answered`)
        if (Date.now() > deadline) fail(`did not answer at ${url} within ${startLimit / 1000} s`)
        await Promise.race([ended, pause(100)])
      }
    },
    kill: async () => {
      child.kill('SIGKILL')
      await ended
    },
    stop: async () => {
      if (hasEnded(child)) return
      child.kill('SIGTERM')
      const limit = setTimeout(() => child.kill('SIGKILL'), stopLimit)
      await ended
      clearTimeout(limit)
    },
  }
}

const describeEnd = ({ exitCode, signalCode }: ChildProcess): string =>
  signalCode === null ? `ended by itself with exit code ${exitCode}` : `was ended by ${signalCode}`

const hasEnded = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null

/** Any answer will do: which paths a server has is its own affair. */
const isAnswering = async (url: string): Promise<boolean> => {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(startLimit) })
    await response.body?.cancel()
    return true
  } catch {
    return false
  }
}

const pause = (duration: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, duration))

/** The port that is wanted, else the next free one. */
const findPort = async (wanted: number): Promise<number> => {
  for (let port = wanted; port < wanted + 20; port += 1) {
    const free = await tryPort(port)
    if (free !== undefined) return free
  }
  throw new Error(`The ports from ${wanted} to ${wanted + 19} are taken: name another (--port for the page, PORT).`)
}

const tryPort = async (port: number): Promise<number | undefined> => {
  const probe = createServer()
  try {
    await once(probe.listen(port, host), 'listening')
    const address = probe.address()
    return typeof address === 'object' && address !== null ? address.port : undefined
  } catch {
    return undefined
  } finally {
    if (probe.listening) await new Promise((resolve) => probe.close(resolve))
  }
}
