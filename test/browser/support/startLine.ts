import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A line between the browser and a server, which can be cut. */
export interface Line {
  readonly url: string
  /** Breaks all connections; new ones can be made at once. */
  readonly cut: () => void
  readonly close: () => Promise<void>
}

/** Puts a line before a server: what Chromium calls offline lets streams that are open already go on. */
export const startLine = async (target: string): Promise<Line> => {
  const { hostname, port } = new URL(target)
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(Number(port), hostname)
    for (const [socket, other] of [[near, far], [far, near]] as const) {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => {
        sockets.delete(socket)
        other.destroy()
      })
      socket.pipe(other)
    }
  })
  await once(server.listen(0, hostname), 'listening')
  const cut = () => sockets.forEach((socket) => socket.destroy())
  return {
    url: `http://${hostname}:${(server.address() as AddressInfo).port}`,
    cut,
    async close() {
      const closed = once(server, 'close')
      server.close()
      cut()
      await closed
    },
  }
}
