import type { Server, ServerOptions } from 'node:http'
import type { AddressInfo } from 'node:net'
import { serve } from '@hono/node-server'

/** How long a request may take to come in, in milliseconds: a client that trickles holds a connection no longer. */
const patience = { headersTimeout: 10_000, requestTimeout: 30_000, connectionsCheckingInterval: 5_000 }

/** More of one machine's descriptors are not given away; whoever comes then waits, or is turned away by the system. */
const defaultMaxConnections = 2_000

/**
 * Listens for HTTP and gives the address; answers may take as long as they like.
 *
 * @throws Error where the port cannot be had.
 */
export function listen(options: {
  fetch(request: Request): Response | Promise<Response>
  host: string
  port: number
  serverOptions?: ServerOptions
  /** 2000 by default. */
  maxConnections?: number
}): Promise<{ server: Server; url: string }> {
  const { fetch, host, port, serverOptions, maxConnections = defaultMaxConnections } = options
  return new Promise((done, fail) => {
    const made = serve(
      { fetch, port, hostname: host, serverOptions: { ...patience, ...serverOptions } },
      (info: AddressInfo) =>
        done({ server: made as Server, url: `http://${host.includes(':') ? `[${host}]` : host}:${info.port}` }),
    )
    made.maxConnections = maxConnections
    made.once('error', (cause: Error) =>
      fail(new Error(`Cannot listen on ${host}:${port}. Choose another PORT, or stop what uses it.`, { cause })),
    )
  })
}
