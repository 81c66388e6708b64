import { once } from 'node:events'
import { connect } from 'node:net'

/** Sends bytes that no HTTP client would send, and gives the whole answer, which is a refusal. */
export async function readAnswer(url: string, bytes: string): Promise<{ status: number; body: unknown }> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => undefined)
  let text = ''
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    text += chunk
    // Nothing else may follow it, and some connections stay open.
    if (text.includes('"}')) socket.destroy()
  })
  socket.write(bytes, 'latin1')
  await once(socket, 'close')
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1])
  return { status, body: JSON.parse(/\{.*\}/s.exec(text)?.[0] ?? 'null') as unknown }
}
