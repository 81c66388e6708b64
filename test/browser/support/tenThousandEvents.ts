/** Where the page gets a run of 10,000 events from: one chunk of bytes, in place of the server's stream. */
export const serveTenThousandEvents = () => {
  const fetchFromServer = window.fetch
  window.fetch = async (input, init) => {
    const url = input instanceof Request ? input.url : String(input)
    if (!url.endsWith('/api/agent/stream') || typeof init?.body !== 'string') return fetchFromServer(input, init)
    const { runId, conversationId, assistantMessageId: messageId } = JSON.parse(init.body)
    let seq = 0
    const frame = (type: string, payload: object) => {
      seq += 1
      const event = {
        protocolVersion: '0.1',
        type,
        eventId: `${runId}:${seq}`,
        sessionId: conversationId,
        runId,
        sequence: seq,
        timestamp: 1,
        payload,
      }
      return `id: ${seq}\ndata: ${JSON.stringify({ runId, seq, event, createdAt: 1 })}\n\n`
    }
    const control = (name: string, body: object) => `event: ${name}\ndata: ${JSON.stringify(body)}\n\n`
    const frames = [
      control('run-start', { type: 'run-start', runId, seq: 1, assistantMessageId: messageId }),
      frame('run.started', {}),
      frame('message.started', { messageId, role: 'assistant' }),
      ...Array.from({ length: 9996 }, (_, index) => frame('message.delta', { messageId, delta: `word${index} ` })),
      frame('message.completed', { messageId }),
      frame('run.completed', {}),
      control('end', { type: 'end', runId, seq: 10_000 }),
    ]
    const bytes = new TextEncoder().encode(frames.join(''))
    const body = new ReadableStream({
      // Not before the page is at rest: making the bytes is not the page's own work.
      start(controller) {
        window.addEventListener(
          'serve-events',
          () => {
            controller.enqueue(bytes)
            controller.close()
          },
          { once: true },
        )
      },
    })
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
  }
}
