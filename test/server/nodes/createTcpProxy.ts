import { createServer, connect, type AddressInfo, type Socket } from 'node:net'

/** A port that stays the same while what is behind it comes and goes, and whose connections can be cut. */
export interface TcpProxy {
  readonly url: string
  /** Where connections lead from now on; undefined where there is nobody. */
  aim(port: number | undefined): void
  /** Cuts those connections that `isChosen` chooses. */
  cut(isChosen: () => boolean): void
  close(): Promise<void>
}

/** Makes a proxy on a free port of this machine. */
export async function createTcpProxy(): Promise<TcpProxy> {
  let target: number | undefined
  const pairs = new Set<readonly [Socket, Socket]>()
  const server = createServer((client) => {
    client.on('error', () => undefined)
    if (target === undefined) return client.destroy()
    const upstream = connect(target, '127.0.0.1')
    upstream.on('error', () => undefined)
    const pair = [client, upstream] as const
    pairs.add(pair)
    client.pipe(upstream)
    upstream.pipe(client)
    // What breaks on one side is broken on the other, in the middle of whatever was being sent.
    client.on('close', () => upstream.destroy())
    upstream.on('close', () => {
      pairs.delete(pair)
      client.destroy()
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  const cut = (isChosen: () => boolean) => {
    for (const [client, upstream] of [...pairs].filter(isChosen)) {
      client.resetAndDestroy()
      upstream.resetAndDestroy()
    }
  }
  return {
    url: `http://127.0.0.1:${port}`,
    aim(next) {
      target = next
    },
    cut,
    close() {
      cut(() => true)
      return new Promise((resolve) => {
        server.close(() => resolve())
      })
    },
  }
}
