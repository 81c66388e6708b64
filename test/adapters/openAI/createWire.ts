/** A request that was sent. */
export interface SentRequest {
  readonly url: string
  readonly method: string
  readonly headers: Headers
  readonly body: Record<string, unknown>
}

/** What a service answers: chunks of a stream, or any other response. */
export type WireAnswer = readonly unknown[] | Response

/** Frames as the services send them; a string is data as it is. */
export const toSse = (chunks: readonly unknown[]) =>
  chunks.map((chunk) => `data: ${typeof chunk === 'string' ? chunk : JSON.stringify(chunk)}\n\n`).join('')

/** A good response that streams a text, in pieces of so many bytes. */
export function streamText(text: string, pieceSize = Infinity): Response {
  const bytes = new TextEncoder().encode(text)
  let sent = 0
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (sent >= bytes.length) return controller.close()
      const piece = bytes.slice(sent, sent + Math.min(pieceSize, bytes.length))
      sent += piece.length
      controller.enqueue(piece)
    },
  })
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
}

export const json = (body: unknown, status = 200) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } })

/** What a service answers, or how. */
export type WireAnswers = (WireAnswer | ((request: SentRequest) => WireAnswer))[]

/** A service that answers one request after the other as it is told, the last answer for good, and notes them. */
export function createWire(...answers: WireAnswers) {
  const sent: SentRequest[] = []
  const fetch: typeof globalThis.fetch = async (target, init) => {
    const url = target instanceof Request ? target.url : String(target)
    const text = typeof init?.body === 'string' ? init.body : '{}'
    const request: SentRequest = {
      url,
      method: init?.method ?? 'GET',
      headers: new Headers(init?.headers),
      body: JSON.parse(text) as Record<string, unknown>,
    }
    sent.push(request)
    const answer = answers[Math.min(sent.length, answers.length) - 1]!
    const given = typeof answer === 'function' ? answer(request) : answer
    return given instanceof Response ? given.clone() : streamText(toSse(given))
  }
  return { fetch, sent }
}
