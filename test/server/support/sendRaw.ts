import { once } from 'node:events'
import { request, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http'

/** Sends a request with headers that fetch does not let one set, its body in pieces where it is given as a list. */
export async function sendRaw(
  url: string,
  options: { method?: string; headers?: OutgoingHttpHeaders; pieces?: readonly string[] } = {},
): Promise<{ status: number; body: Record<string, unknown>; cookies: readonly string[] }> {
  const { method = 'GET', headers, pieces = [] } = options
  const sent = request(url, { method, headers })
  const answered = once(sent, 'response') as Promise<[IncomingMessage]>
  // Its answer may come while the body is still being sent, and then the rest of that has nowhere to go.
  sent.on('error', () => undefined)
  for (const piece of pieces) sent.write(piece)
  sent.end()
  const [response] = await answered
  let text = ''
  for await (const chunk of response.setEncoding('utf8')) text += chunk as string
  const body = (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>
  return { status: response.statusCode!, body, cookies: response.headers['set-cookie'] ?? [] }
}
