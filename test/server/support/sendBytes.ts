import { once } from 'node:events'
import { connect } from 'node:net'

/** Sends bytes that no HTTP client would send, and gives the status of the answer; undefined where there is none. */
export async function sendBytes(url: string, bytes: string): Promise<number | undefined> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => undefined)
  let text = ''
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    text += chunk
    // The status is all that is asked for.
    if (text.includes('\r\n\r\n')) socket.destroy()
  })
  socket.write(bytes, 'latin1')
  await once(socket, 'close')
  const status = /^HTTP\/1\.1 (\d{3})/.exec(text)?.[1]
  return status === undefined ? undefined : Number(status)
}
