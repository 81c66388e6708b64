import type { Server } from 'node:http'
import type { Duplex } from 'node:stream'

const answers: Readonly<Record<string, { status: string; code: string; message: string }>> = {
  HPE_HEADER_OVERFLOW: {
    status: '431 Request Header Fields Too Large',
    code: 'headers_too_large',
    message: 'The headers are larger than 16 KB. Send fewer or shorter ones; cookies count too.',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: '408 Request Timeout',
    code: 'request_timeout',
    message: 'The request did not come in time. Send it again, all of it at once.',
  },
}
const broken = { status: '400 Bad Request', code: 'invalid_http', message: 'This is no HTTP request.' }

/**
 * Answers what never becomes a request (no HTTP, too large headers, one that trickles in) as every other refusal is:
 * JSON with a code. Where an answer is under way on the connection, or a whole request waits for its own, it is cut
 * instead: nothing else may stand there.
 */
export function answerBrokenRequests(server: Server): void {
  const pending = new WeakMap<Duplex, Set<() => boolean>>()
  server.on('request', (request, response) => {
    const { socket } = request
    const mayBeRefused = () => !request.complete && !response.headersSent
    const requests = pending.get(socket) ?? new Set()
    pending.set(socket, requests.add(mayBeRefused))
    response.once('close', () => requests.delete(mayBeRefused))
  })
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const mayBeAnswered = [...(pending.get(socket) ?? [])].every((mayBeRefused) => mayBeRefused())
    if (!socket.writable || !mayBeAnswered) return void socket.destroy()
    const { status, code, message } = answers[error.code ?? ''] ?? broken
    const body = JSON.stringify({ code, message })
    const headers = `Connection: close\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}`
    socket.end(`HTTP/1.1 ${status}\r\n${headers}\r\n\r\n${body}`, () => socket.destroy())
  })
}
