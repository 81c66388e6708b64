import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { createTcpProxy, type TcpProxy } from './createTcpProxy.ts'
import type { Watch } from './createWatch.ts'
import type { NodeLine } from './nodeLine.ts'

/** A run server in a process that can be killed, frozen and started anew, always found at the same address. */
export interface TestNode {
  readonly name: string
  readonly url: string
  readonly proxy: Pick<TcpProxy, 'cut'>
  /** Whether it listens; a frozen one does. */
  isUp(): boolean
  start(): Promise<void>
  kill(): Promise<void>
  freeze(): void
  thaw(): void
  close(): Promise<void>
}

/** Makes a node, which is not started yet; `onLine` gets what it says. */
export async function createNode(options: {
  name: string
  script: string
  env: Readonly<Record<string, string>>
  watch: Watch
  onLine(line: NodeLine): void
}): Promise<TestNode> {
  const { name, script, watch, onLine } = options
  const proxy = await createTcpProxy()
  const env = { ...process.env, ...options.env, NODE_NAME: name }
  let child: ChildProcess | undefined
  let isUp = false

  const letGo = () => {
    const process = child
    child = undefined
    isUp = false
    proxy.aim(undefined)
    return process
  }
  const start = async () => {
    const started = spawn(process.execPath, [script], { env, stdio: ['ignore', 'pipe', 'inherit'] })
    child = started
    started.on('exit', () => {
      if (child !== started) return
      letGo()
      watch.fail(new Error(`Node ${name} ended by itself; what it said of that stands above.`))
    })
    createInterface(started.stdout).on('line', (text) => {
      const line = JSON.parse(text) as NodeLine
      if (line.type === 'listening' && child === started) {
        proxy.aim(line.port)
        isUp = true
      }
      onLine(line)
      watch.changed()
    })
    await watch.until(`node ${name} listens`, () => isUp)
  }
  const kill = async () => {
    const killed = letGo()
    if (killed === undefined) return
    const exited = once(killed, 'exit')
    killed.kill('SIGKILL')
    await exited
    watch.changed()
  }
  return {
    name,
    url: proxy.url,
    proxy,
    isUp: () => isUp,
    start,
    kill,
    freeze: () => void child?.kill('SIGSTOP'),
    thaw: () => void child?.kill('SIGCONT'),
    async close() {
      await kill()
      await proxy.close()
    },
  }
}
