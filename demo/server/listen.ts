import { createServer, type Server, type ServerOptions } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener, RequestError } from '@hono/node-server'
import { answerBrokenRequests } from './http/answerBrokenRequests.ts'

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
    const answer = getRequestListener(fetch, { hostname: host, errorHandler: describeError })
    const made = createServer({ ...patience, ...serverOptions }, (incoming, outgoing) => void answer(incoming, outgoing))
    answerBrokenRequests(made)
    made.listen(port, host, () => {
      const { port: taken } = made.address() as AddressInfo
      done({ server: made, url: `http://${host.includes(':') ? `[${host}]` : host}:${taken}` })
    })
    made.maxConnections = maxConnections
    made.once('error', (cause: Error) =>
      fail(new Error(`Cannot listen on ${host}:${port}. Choose another PORT, or stop what uses it.`, { cause })),
    )
  })
}

/** What no route was asked of: its address or name is none. The routes answer for themselves. */
function describeError(error: unknown): Response {
  return error instanceof RequestError
    ? Response.json(
        { code: 'invalid_url', message: 'The address or the Host header is none. Mend the request.' },
        { status: 400 },
      )
    : Response.json({ code: 'internal_error', message: 'The server met an error of its own.' }, { status: 500 })
}
